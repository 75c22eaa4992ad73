// Runs as a separate process: replaces a folder with a link to the outside and back, as fast as it can, until its input
// ends.
import { renameSync, symlinkSync, unlinkSync, writeSync } from "node:fs";

const [folder = "", aside = "", outside = ""] = process.argv.slice(2);
let swaps = 0;
let movedAside = 0;
let stopping = false;
process.stdin.on("end", () => {
  stopping = true;
});
process.stdin.resume();

/** Retries if the writer has recreated the folder in the meantime, after moving that folder aside. */
function retryWhileBlocked(act: () => void): void {
  for (;;) {
    try {
      act();
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== "EEXIST" && code !== "ENOTEMPTY") throw error;
      renameSync(folder, `${aside}-${movedAside++}`);
    }
  }
}

function swapSome(): void {
  for (let i = 0; i < 100; i++) {
    renameSync(folder, aside);
    retryWhileBlocked(() => symlinkSync(outside, folder));
    unlinkSync(folder);
    retryWhileBlocked(() => renameSync(aside, folder));
    swaps++;
  }
  // A crashed test must not leave this running forever.
  if ((stopping && swaps >= 10_000) || swaps > 5_000_000) writeSync(1, `${swaps}\n`);
  else setImmediate(swapSome);
}
swapSome();
