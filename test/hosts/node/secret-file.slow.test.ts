// Tests that the generated secret never leaves the server, even if a tool's result contains it.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { secretEncodings } from "../../../src/tools/redaction/secret-encodings.ts";
import { unwrap } from "../../support/runtime.ts";
import { callTool, type Story, startStory } from "../../support/story.ts";

let story: Story;
let secret: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-secret-file-"));
  mkdirSync(join(folder, "work"));
  writeFileSync(join(folder, "pawl.config.json"), JSON.stringify({ workspace: "work", bash: { enabled: true } }));
  story = await startStory({
    folder,
    script: [
      callTool("bash", { command: "cat copy.txt; base64 -w0 copy.txt" }),
      callTool("read_file", { path: "copy.txt" }),
      callTool("grep", { pattern: "." }),
      callTool("list_dir", { path: "." }),
    ],
  });
  secret = readFileSync(join(folder, ".pawl", "secret"), "utf8").trim();
  writeFileSync(join(folder, "work", "copy.txt"), `before ${secret} after\n`);
});
afterAll(() => story.end());

test("a copy of the secret file is redacted in answers, events, the export and the prompt", async () => {
  const { client, url, model } = story;
  const { thread } = unwrap(await client.create({ goal: "Read the copy", mode: "direct" }));
  const seen: string[] = [];
  for (let n = 0; n < 4; n += 1) seen.push(JSON.stringify(unwrap(await client.advance(thread.id))));
  for (const path of ["", "/turns", "/events?after=-1", "/export"])
    seen.push(await (await fetch(`${url}/v1/threads/${thread.id}${path}`)).text());
  expect(model.requests).toHaveLength(4);
  seen.push(JSON.stringify(model.requests));
  expect(seen.join("\n").split("before [redacted] after").length).toBeGreaterThan(5);
  for (const form of secretEncodings(secret)) expect(seen.join("\n")).not.toContain(form);
});
