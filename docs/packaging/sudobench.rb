# The formula for Homebrew. scripts/fill-recipes fills in VERSION and SHA256.
class Sudobench < Formula
  desc "Parallel batch solver and benchmarking harness for 9x9 Sudoku"
  homepage "https://github.com/OWNER/sudobench"
  url "https://github.com/OWNER/sudobench/archive/refs/tags/vVERSION.tar.gz"
  sha256 "SHA256"
  license any_of: ["Apache-2.0", "MIT"]
  head "https://github.com/OWNER/sudobench.git", branch: "main"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"sudobench", "completions")
    system bin/"sudobench", "man", "--out-dir", man1
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/sudobench --version")
    (testpath/"puzzle.txt").write <<~EOS
      53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    EOS
    solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    assert_match solution, shell_output("#{bin}/sudobench solve puzzle.txt --output-format lines")
  end
end
