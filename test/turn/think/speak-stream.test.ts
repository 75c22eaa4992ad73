import { describe, expect, test } from "vitest";
import { createSpeakStream } from "../../../src/turn/think/speak-stream.ts";

/**
 * Returns the streamed text when the reply arrives in chunks of this size. A retraction discards everything before it.
 */
function streamReply(reply: string, size: number) {
  let pieces: string[] = [];
  let retracted = 0;
  const stream = createSpeakStream(
    (text) => pieces.push(text),
    () => {
      pieces = [];
      retracted += 1;
    },
  );
  for (let at = 0; at < reply.length; at += size) stream.write(reply.slice(at, at + size));
  return { pieces, text: pieces.join(""), retracted, hasEmitted: stream.hasEmitted() };
}

const SIZES = [1, 2, 3, 7, 1000];

describe("speech while the JSON is still being written", () => {
  test.each([
    [
      "escapes and emoji",
      '{"speak":"a \\ud83d\\ude00 \\u00e9\\n\\"q\\" \\\\ 👩‍👩‍👧","action":"continue"}',
      'a 😀 é\n"q" \\ 👩‍👩‍👧',
    ],
    ["a fence and blanks", '```json\n{ "speak" : "yes" }\n```', "yes"],
    ["speak further inside", '{"tool_call":{"speak":"no","arguments":{"speak":"no"}},"speak":"yes"}', "yes"],
    ["speak inside another text", '{"reason":"\\"speak\\":\\"no\\"","speak":"yes"}', "yes"],
    ["a thought before", '<think>{"speak":"no"}</think>{"speak":"yes"}', "yes"],
    ["a thought that began in the prompt", '{"speak":"no"}</think>{"speak":"yes"}', "yes"],
    ["no speech", '{"speak":null,"reason":"x"}', ""],
  ])("of a reply with %s is the same in chunks of every size", (_, reply, speech) => {
    for (const size of SIZES) expect(`${size} ${streamReply(reply, size).text}`).toBe(`${size} ${speech}`);
  });

  test("arrives in whole characters", () => {
    const reply = '{"speak":"\\ud83d\\ude00 and \\ud83d\\ude01"}';
    for (const size of SIZES) expect(streamReply(reply, size).pieces.every((piece) => piece.isWellFormed())).toBe(true);
  });

  test("is retracted if it turns out to be a thought, once and only if it was emitted", () => {
    const reply = '{"speak":"no"}</think>{"action":"continue"}';
    expect(streamReply(reply, 3)).toMatchObject({ retracted: 1, hasEmitted: false });
    expect(streamReply(reply, 1000)).toMatchObject({ retracted: 0, hasEmitted: false });
  });
});
