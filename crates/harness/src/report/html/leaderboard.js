// Turns each heading into a button that sorts its table: numbers by the value in the record, texts by the alphabet.
(function () {
  "use strict";
  function key(row, column) {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  }
  function sort(table, column, header) {
    const ascending = header.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    const numeric = rows.some((row) => key(row, column) !== null);
    rows.sort((a, b) => {
      if (!numeric) {
        const order = a.cells[column].textContent.localeCompare(b.cells[column].textContent, "en");
        return ascending ? order : -order;
      }
      const [x, y] = [key(a, column), key(b, column)];
      // Rows without a value come last, whatever the direction.
      if (x === null || y === null) return (x === null) - (y === null);
      return ascending ? x - y : y - x;
    });
    body.append(...rows);
  }
  for (const table of document.querySelectorAll("table")) {
    Array.from(table.tHead.rows[0].cells).forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => sort(table, column, header));
    });
  }
})();
