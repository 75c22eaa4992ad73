// Any text is returned unchanged.
import { equal, succeeded } from "../expect.ts";
import { onOneHandle } from "../test-case.ts";
import type { ContractCase } from "./case.ts";
import { ACME, createRecords, delivery, MUCH_LATER, meta, record, threadAt } from "./fixtures.ts";

const at = threadAt();

const textCase = (name: string, text: string, expected = text): ContractCase => ({
  name,
  run: async (open) => {
    const store = await open();
    await createRecords(store, at, 1);
    const outbox = [delivery(1, at, { body: text })];
    succeeded(await store.append(at, record(1, { entry: text, state: text }), { outbox }));
    succeeded(await store.putBlob(at, "text", text));
    const stored = record(1, { entry: expected, state: expected });
    equal(succeeded(await store.records(at, { after: 0, limit: 1 })), [stored]);
    const { head, entries } = succeeded(await store.load(at, 1));
    equal([head.state, entries[0]?.entry], [expected, expected]);
    equal(succeeded(await store.getBlob(at, "text")), expected);
    equal(succeeded(await store.dueDeliveries(MUCH_LATER, 1)), [delivery(1, at, { body: expected })]);
  },
});

export const textCases: readonly ContractCase[] = [
  textCase("text of many scripts is returned unchanged", "Grüße, 你好, مرحبا, नमस्ते, 👩‍👩‍👧‍👦, 𝒳, e\u0301 is not é"),
  textCase("NUL and control characters are returned unchanged", "a\u0000b\u0001\u001f\u007f\u0080\r\n\t\u0000"),
  textCase(
    "unusual separators, a byte order mark and non-characters are returned unchanged",
    "\ufeffx\u2028\u2029\ufffe\uffff\ufffd",
  ),
  textCase("quotes, comments and escapes are only text", `'; DROP TABLE records; -- "\\" \\u0041 %s $1 ?1 \${x}`),
  textCase("text that looks like a number stays text", "0012.50e3"),
  textCase("leading and trailing whitespace is returned unchanged", "  \n x \t "),
  // UTF-8 cannot represent a lone surrogate. Every store replaces it in the same way as hashing and HTTP do.
  textCase("a lone surrogate is returned as U+FFFD", "a\ud83db\udc00", "a\ufffdb\ufffd"),
  onOneHandle("names in a meta row that are special in JavaScript are plain names", async (store) => {
    const metadata = JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":null,"":3}') as Record<
      string,
      unknown
    >;
    succeeded(await store.create(at, record(0), meta(1, { metadata })));
    const [row] = succeeded(await store.list(ACME, { limit: 1 }));
    equal(JSON.stringify(row?.metadata), JSON.stringify(metadata));
  }),
];
