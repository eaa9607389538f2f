// Shows one step at a time. The reader chooses the step with the buttons, the arrow keys, Home and End, a click on a step, or the address.
"use strict";
(() => {
  const sections = [...document.querySelectorAll("section.puzzle")];
  const walks = new Map();
  let current = null;

  // Makes an element with a text, and appends it to the element `inside`.
  const element = (name, inside, text = "") => {
    const made = document.createElement(name);
    made.textContent = text;
    inside.append(made);
    return made;
  };

  for (const section of sections) {
    const list = section.querySelector(".steps");
    const steps = list ? [...list.children] : [];
    if (!steps.length) continue;
    const walk = { steps, list, names: steps.map((step) => step.id), at: 0 };
    // The address names a step, but the browser should not scroll to its place in the list.
    for (const step of steps) step.removeAttribute("id");
    const grid = element("div", section);
    grid.className = "walk";
    walk.stage = element("figure", grid);
    walk.stage.className = "stage";
    const controls = element("div", walk.stage);
    controls.className = "controls";
    walk.back = element("button", controls, "Back");
    walk.forward = element("button", controls, "Forward");
    walk.number = element("span", controls);
    walk.drawing = element("div", walk.stage);
    walk.caption = element("figcaption", walk.stage);
    walk.caption.setAttribute("aria-live", "polite");
    walk.back.addEventListener("click", () => go(walk.at - 1));
    walk.forward.addEventListener("click", () => go(walk.at + 1));
    grid.append(list);
    walks.set(section, walk);
  }

  // Shows the puzzle in `section` at its current step. The entry of `walks` for `section` has the steps and the index `at` of this step.
  const show = (section) => {
    current = section;
    for (const other of sections) other.classList.toggle("current", other === section);
    for (const link of document.querySelectorAll("nav a")) {
      link.toggleAttribute("aria-current", link.hash === "#" + section.id);
    }
    const walk = walks.get(section);
    if (!walk) return;
    const { steps, list, at } = walk;
    const step = steps[at];
    for (const other of steps) other.querySelector("a").removeAttribute("aria-current");
    step.querySelector("a").setAttribute("aria-current", "step");
    list.scrollTop = step.offsetTop - list.clientHeight / 2;
    walk.drawing.replaceChildren(step.querySelector("svg").cloneNode(true));
    walk.caption.textContent = step.querySelector("a").textContent;
    walk.number.textContent = `Step ${at + 1} of ${steps.length}`;
    walk.back.disabled = at === 0;
    walk.forward.disabled = at === steps.length - 1;
  };

  // Goes to a step of the current puzzle, by its number from 0.
  const go = (number) => {
    const walk = walks.get(current);
    if (!walk) return;
    walk.at = Math.min(Math.max(number, 0), walk.steps.length - 1);
    history.replaceState(null, "", "#" + walk.names[walk.at]);
    show(current);
  };

  // Shows the step or the puzzle that the address names. If it names neither, shows the current puzzle or, at the start, the first puzzle.
  const follow = () => {
    const name = location.hash.slice(1);
    for (const [section, walk] of walks) {
      const number = walk.names.indexOf(name);
      if (number < 0) continue;
      walk.at = number;
      return show(section);
    }
    const named = sections.find((section) => section.id === name) ?? current ?? sections[0];
    if (named) show(named);
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const walk = walks.get(current);
    if (!walk) return;
    const last = walk.steps.length - 1;
    const target = { ArrowLeft: walk.at - 1, ArrowRight: walk.at + 1, Home: 0, End: last }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    go(target);
  });
  document.addEventListener("click", (event) => {
    const step = event.target.closest?.(".steps li");
    if (!step || !event.target.closest("a")) return;
    event.preventDefault();
    go(walks.get(current).steps.indexOf(step));
  });
  window.addEventListener("hashchange", follow);
  document.documentElement.classList.add("stepping");
  follow();
  scrollTo(0, 0);
})();
