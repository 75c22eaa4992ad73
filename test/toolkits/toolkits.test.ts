// Tests toolkits on a host: which are present, who sees their tools, and which data follows a thread.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { createScriptedModel } from "../../src/adapters/model-scripted.ts";
import { createMemorySettings } from "../../src/adapters/settings-memory.ts";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createHost, type HostOptions } from "../../src/hosts/shared/create-host.ts";
import { virtualFiles } from "../../src/hosts/shared/virtual-files.ts";
import { LOCAL_TENANT, type ThreadRef } from "../../src/schema/ids.ts";
import type { CreateInput } from "../../src/schema/input.ts";
import { ok } from "../../src/schema/problem.ts";
import { exportThread } from "../../src/threads/export-thread.ts";
import { forkThread } from "../../src/threads/fork.ts";
import { importThread } from "../../src/threads/import-thread.ts";
import { withImportedDocuments } from "../../src/threads/imported-documents.ts";
import { removeThread } from "../../src/threads/remove.ts";
import { TOOLKITS } from "../../src/toolkits/index.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { defineToolkit } from "../../src/tools/toolkit.ts";
import { loadThread } from "../../src/turn/load.ts";
import { resolveThreadTools } from "../../src/turn/resolve-thread-tools.ts";
import { type Agent, DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { createMemoryDocuments } from "../support/documents-memory.ts";
import { createTestThread, problemCode, unwrap } from "../support/runtime.ts";
import { callTool } from "../support/story.ts";

const note = defineTool(
  { name: "note", description: "Reads the note.", input: z.object({}), output: z.string() },
  () => "a note",
);

const NOTE = { tenant: LOCAL_TENANT, kind: "note" };
const noteOf = ({ thread }: ThreadRef) => ({ ...NOTE, id: thread });

/** A toolkit that stores one note per thread. */
const notes = defineToolkit({
  name: "notes",
  parts: ["documents"],
  offered: "on request",
  tools: () => [note],
  threads: {
    forked: async ({ documents }, from, to) => {
      const copied = await documents.copy(noteOf(from), noteOf(to));
      return copied.ok ? ok(undefined) : copied;
    },
    removed: ({ documents }, at) => documents.remove(noteOf(at)),
    exported: async ({ documents }, at) => {
      const loaded = await documents.load(noteOf(at));
      return loaded.ok ? ok(loaded.value?.value ?? null) : loaded;
    },
    imported: async ({ documents }, at, data) => {
      const saved = await documents.save(noteOf(at), data, 0);
      return saved.ok ? ok(undefined) : saved;
    },
  },
});

const agent = (more: Partial<Agent> = {}): Agent => ({ instructions: "", tools: null, ...more });

function aHost(options: Partial<HostOptions> = {}, agents: Readonly<Record<string, Agent>> = { default: agent() }) {
  const documents = createMemoryDocuments();
  const model = createScriptedModel([callTool("note", {})], { clock: systemClock });
  const host = unwrap(
    createHost({
      store: createMemoryStore(),
      settings: createMemorySettings(),
      pickModel: () => model,
      config: { ...DEFAULT_CONFIG, agents },
      toolkits: [...TOOLKITS, notes],
      parts: { files: virtualFiles, documents },
      ...options,
    }),
  );
  return { ...host, documents };
}

async function toolsOf({ rt }: ReturnType<typeof aHost>, input: CreateInput = {}): Promise<readonly string[]> {
  const { at } = await createTestThread(rt, input);
  const { state } = unwrap(await loadThread(rt, at));
  return unwrap(await resolveThreadTools(rt, LOCAL_TENANT, state)).tools.map(({ name }) => name);
}

const BASICS = ["clarify", "escalate", "recall", "time", "todo"];

describe("the toolkits of a host", () => {
  test("are absent where the host lacks a part, and the missing parts are named", () => {
    expect(aHost().absent).toEqual([
      { name: "shell", missing: ["process"] },
      { name: "web", missing: ["fetch"] },
      { name: "automation", missing: ["triggers"] },
      { name: "data", missing: ["data"] },
      { name: "code", missing: ["process"] },
      { name: "processes", missing: ["process"] },
      { name: "powershell", missing: ["powershell"] },
      { name: "channels", missing: ["channels"] },
      { name: "images", missing: ["images", "fetch"] },
    ]);
    expect(aHost().rt.toolbox.catalog.get("bash")).toBeNull();
  });

  test("with the same name are refused", () => {
    const host = createHost({
      store: createMemoryStore(),
      settings: createMemorySettings(),
      pickModel: () => createScriptedModel([]),
      config: DEFAULT_CONFIG,
      toolkits: [notes, notes],
      parts: { documents: createMemoryDocuments() },
    });
    expect(problemCode(host)).toBe("config_invalid");
  });
});

describe("the tools of a thread", () => {
  test("are the basics by default", async () => {
    expect(await toolsOf(aHost())).toEqual(BASICS);
  });

  test("include the toolkits that its agent names", async () => {
    expect(await toolsOf(aHost({}, { default: agent({ toolkits: ["notes"] }) }))).toEqual([...BASICS, "note"].sort());
  });

  test("include the toolkits that its creator names", async () => {
    expect(await toolsOf(aHost(), { toolkits: ["notes"] })).toEqual([...BASICS, "note"].sort());
  });

  test("include a tool of another toolkit that is named by itself", async () => {
    expect(await toolsOf(aHost(), { tools: { note: true } })).toEqual([...BASICS, "note"].sort());
  });

  test("are all tools of all toolkits for an agent with all of them", async () => {
    const tools = await toolsOf(aHost({}, { default: agent({ toolkits: "all" }) }));
    expect(tools).toEqual(expect.arrayContaining(["note", "read_file", "move", ...BASICS]));
  });

  test("are the core tool recall, those that the agent lists and those of its toolkits, whatever the thread asks for", async () => {
    const host = aHost({}, { default: agent({ tools: ["time"], toolkits: ["notes"] }) });
    expect(await toolsOf(host, { toolkits: ["files"] })).toEqual(["note", "recall", "time"]);
  });

  test("a toolkit that the host lacks is refused when the thread is created", async () => {
    await expect(toolsOf(aHost(), { toolkits: ["shell"] })).rejects.toThrow(/no toolkit named "shell"; it has: basics/);
  });
});

describe("what a toolkit stores for a thread", () => {
  const setUp = async () => {
    const host = aHost({}, { default: agent({ toolkits: ["notes"] }) });
    const thread = await createTestThread(host.rt, { goal: "Read it", mode: "direct" });
    unwrap(await thread.turn());
    unwrap(await host.documents.save(noteOf(thread.at), { text: "mine" }, 0));
    return { ...host, at: thread.at };
  };
  const noteIn = async ({ documents, rt }: ReturnType<typeof aHost>, at: ThreadRef) =>
    unwrap(await withImportedDocuments(documents, rt.store).load(noteOf(at)))?.value ?? null;

  test("is copied by a fork and removed with the thread", async () => {
    const host = await setUp();
    const fork = unwrap(await forkThread(host.rt, host.at, 1));
    const copy = { tenant: LOCAL_TENANT, thread: fork.thread.id };
    expect(await noteIn(host, copy)).toEqual({ text: "mine" });
    unwrap(await removeThread(host.rt, host.at, "tester"));
    expect(await noteIn(host, host.at)).toBeNull();
    expect(await noteIn(host, copy)).toEqual({ text: "mine" });
  });

  test("is exported and imported with the thread, and a changed line is found", async () => {
    const host = await setUp();
    const file = unwrap(await exportThread(host.rt, host.at));
    const other = aHost();
    expect(problemCode(await importThread(other.rt, LOCAL_TENANT, file.replace("mine", "yours")))).toBe(
      "export_invalid",
    );
    expect(await noteIn(other, host.at)).toBeNull();
    unwrap(await importThread(other.rt, LOCAL_TENANT, file));
    expect(await noteIn(other, host.at)).toEqual({ text: "mine" });
  });

  test("may be copied by the toolkit while the thread is imported, unless there is one or nothing to copy", async () => {
    const host = await setUp();
    const file = unwrap(await exportThread(host.rt, host.at));
    const template = { ...NOTE, id: "template" };
    const copied: boolean[] = [];
    const copying = defineToolkit({
      ...notes,
      threads: {
        imported: async ({ documents }, at) => {
          for (const id of ["missing", "template", "template"])
            copied.push(unwrap(await documents.copy({ ...NOTE, id }, noteOf(at))));
          return ok(undefined);
        },
      },
    });
    const other = aHost({ toolkits: [...TOOLKITS, copying] });
    unwrap(await other.documents.save(template, { text: "of the template" }, 0));
    unwrap(await importThread(other.rt, LOCAL_TENANT, file));
    expect(copied).toEqual([false, true, false]);
    expect(await noteIn(other, host.at)).toEqual({ text: "of the template" });
  });

  test("that an import announced, but did not store, is nothing to copy", async () => {
    const host = await setUp();
    const file = unwrap(await exportThread(host.rt, host.at));
    const other = aHost();
    unwrap(await importThread(other.rt, LOCAL_TENANT, file));
    const shown = withImportedDocuments(other.documents, other.rt.store);
    const [first, second] = ["one", "two"].map((id) => ({ ...NOTE, id }));
    if (!first || !second) throw new Error("two targets");
    expect(unwrap(await shown.copy(noteOf(host.at), first))).toBe(true);
    expect(unwrap(await shown.copy(noteOf(host.at), first))).toBe(false);
    expect(unwrap(await shown.load(first))?.value).toEqual({ text: "mine" });
    // Without the rows of the import, its placeholder is no document.
    unwrap(await other.rt.store.remove(host.at));
    expect(unwrap(await shown.copy(noteOf(host.at), second))).toBe(false);
    expect(unwrap(await shown.load(second))).toBeNull();
  });

  test("is not lost without notice: a host without the toolkit refuses the file", async () => {
    const host = await setUp();
    const file = unwrap(await exportThread(host.rt, host.at));
    const other = aHost({ toolkits: TOOLKITS });
    const imported = await importThread(other.rt, LOCAL_TENANT, file);
    expect(imported).toMatchObject({
      problem: { code: "export_invalid", message: expect.stringContaining('"notes"') },
    });
    expect(problemCode(await loadThread(other.rt, host.at))).toBe("thread_not_found");
  });
});

test("a tool knows the metadata of its thread and the agent, also when the first record is no longer loaded", async () => {
  const seen: string[] = [];
  const spy = defineTool(
    { name: "spy", description: "Looks.", input: z.object({ n: z.number() }), output: z.string() },
    ({ n }, { metadata, agent: name }) => {
      seen.push(JSON.stringify([metadata, name]));
      // A tool that changes its metadata changes only its own copy.
      (metadata as Record<string, unknown>).customer = "changed";
      return `seen ${n}`;
    },
  );
  const calls = Array.from({ length: 22 }, (_, n) => callTool("spy", { n }));
  const model = createScriptedModel(calls);
  const host = aHost({ extensions: [{ tools: [spy] }], pickModel: () => model });
  const thread = await createTestThread(host.rt, { goal: "Look", mode: "direct", metadata: { customer: "c-7" } });
  for (const _ of calls) unwrap(await thread.turn());
  expect(seen).toHaveLength(22);
  expect(new Set(seen)).toEqual(new Set(['[{"customer":"c-7"},"default"]']));
});
