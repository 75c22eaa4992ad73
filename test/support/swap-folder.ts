// Run as a process of its own: swaps a folder for a link to the outside and back, as fast as it can, until its input ends.
import { renameSync, symlinkSync, unlinkSync, writeSync } from "node:fs";

const [folder = "", aside = "", outside = ""] = process.argv.slice(2);
let swaps = 0;
let made = 0;
let stopping = false;
process.stdin.on("end", () => {
  stopping = true;
});
process.stdin.resume();

/** The writer may make the folder anew in the moment it is missing: that one is put out of the way. */
function insist(act: () => void): void {
  for (;;) {
    try {
      act();
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== "EEXIST" && code !== "ENOTEMPTY") throw error;
      renameSync(folder, `${aside}-${made++}`);
    }
  }
}

function swapSome(): void {
  for (let i = 0; i < 100; i++) {
    renameSync(folder, aside);
    insist(() => symlinkSync(outside, folder));
    unlinkSync(folder);
    insist(() => renameSync(aside, folder));
    swaps++;
  }
  // A test that died must not leave this running for ever.
  if ((stopping && swaps >= 10_000) || swaps > 5_000_000) writeSync(1, `${swaps}\n`);
  else setImmediate(swapSome);
}
swapSome();
