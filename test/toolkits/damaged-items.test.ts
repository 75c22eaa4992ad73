// Tests an unreadable item of a stored list: the others are listed, and saving the list keeps it.
import { expect, test } from "vitest";
import type { DocumentRef, DocumentStore } from "../../src/ports/documents.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { createCalendarStore } from "../../src/toolkits/calendar/store/calendar-store.ts";
import { OFFICE_HOURS } from "../../src/toolkits/calendar/store/head.ts";
import { createDesktopQueue } from "../../src/toolkits/channels/desktop-queue.ts";
import { createMemoryStore } from "../../src/toolkits/memory/memory-store.ts";
import { createStoredSkills } from "../../src/toolkits/skills/stored-skills.ts";
import { createMemoryDocuments } from "../support/documents-memory.ts";
import { unwrap } from "../support/runtime.ts";

const DAMAGED = { name: 3, from: "another world" };

async function damage(documents: DocumentStore, at: DocumentRef, field: string): Promise<void> {
  const stored = unwrap(await documents.load(at));
  const value = stored?.value as Record<string, unknown[]>;
  unwrap(await documents.save(at, { ...value, [field]: [DAMAGED, ...(value[field] ?? [])] }, stored?.version ?? 0));
}

const valuesIn = async (documents: DocumentStore, at: DocumentRef, field: string) =>
  (unwrap(await documents.load(at))?.value as Record<string, unknown[]> | undefined)?.[field];

test("memories", async () => {
  const documents = createMemoryDocuments();
  const store = createMemoryStore(documents);
  const owner = { tenant: LOCAL_TENANT, agent: "default" };
  const save = (name: string) =>
    store.save(owner, {
      ...{ name, text: name, effect: name, thread: "thr_x", trust: "trusted" as const },
      saved_at: "2026-01-01T00:00:00.000Z",
    });
  unwrap(await save("one"));
  const page = { tenant: LOCAL_TENANT, kind: "memory", id: "0/default" };
  await damage(documents, page, "memories");
  unwrap(await save("two"));
  expect(unwrap(await store.list(owner)).map(({ name }) => name)).toEqual(["one", "two"]);
  expect(await valuesIn(documents, page, "memories")).toContainEqual(DAMAGED);
});

test("calendars", async () => {
  const documents = createMemoryDocuments();
  const store = createCalendarStore(documents);
  const create = (name: string) =>
    store.create(LOCAL_TENANT, {
      ...{ name, time_zone: "UTC", working_hours: OFFICE_HOURS, owner: "a", created_at: 0, key: null },
      make_default: false,
    });
  unwrap(await create("one"));
  const index = { tenant: LOCAL_TENANT, kind: "calendar_index", id: "all" };
  await damage(documents, index, "calendars");
  unwrap(await create("two"));
  expect(unwrap(await store.list(LOCAL_TENANT)).calendars.map(({ name }) => name)).toEqual(["one", "two"]);
  expect(await valuesIn(documents, index, "calendars")).toContainEqual(DAMAGED);
});

test("stored skills", async () => {
  const documents = createMemoryDocuments();
  const store = createStoredSkills(documents);
  const skill = (name: string) => ({
    ...{ name, description: name, body: name, files: {}, trust: "trusted" as const, effect: name },
    saved_at: "2026-01-01T00:00:00.000Z",
  });
  unwrap(await store.change(LOCAL_TENANT, { action: "save", skill: skill("one") }));
  const all = { tenant: LOCAL_TENANT, kind: "skill", id: "all" };
  await damage(documents, all, "skills");
  unwrap(await store.change(LOCAL_TENANT, { action: "save", skill: skill("two") }));
  unwrap(await store.change(LOCAL_TENANT, { action: "remove", name: "one", effect: "three" }));
  expect(unwrap(await store.list(LOCAL_TENANT)).map(({ name }) => name)).toEqual(["two"]);
  expect(await valuesIn(documents, all, "skills")).toContainEqual(DAMAGED);
});

test("desktop tasks", async () => {
  const documents = createMemoryDocuments();
  const queue = createDesktopQueue(documents);
  const task = (id: string) => ({
    ...{ id, app: "chat", channel: "team", to: null, text: id, agent: "default", thread: "thr_x" },
    created_at: "2026-01-01T00:00:00.000Z",
  });
  unwrap(await queue.add(LOCAL_TENANT, task("one")));
  const all = { tenant: LOCAL_TENANT, kind: "desktop", id: "chat" };
  await damage(documents, all, "tasks");
  unwrap(await queue.add(LOCAL_TENANT, task("two")));
  const claim = { app: "chat", worker: "w", lease_ms: 1_000, now: 0 };
  expect(unwrap(await queue.claim(LOCAL_TENANT, claim))?.id).toBe("one");
  expect(unwrap(await queue.find(LOCAL_TENANT, "chat", "two"))).toMatchObject({ state: "queued" });
  expect(await valuesIn(documents, all, "tasks")).toContainEqual(DAMAGED);
});
