// Defines the HTTP routes with which people list memories, read earlier versions, and delete memories.
import * as z from "zod";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { type QueryParameter, type RouteRequest, type ToolkitRoute, toolkitRoute } from "../../tools/route.ts";
import { type Memory, MemoryName, type MemoryOwner, MemoryVersion } from "./memory.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { Rank } from "./rank.ts";
import { rankMemories } from "./tools.ts";

const LIMIT_MAX = 200;
const MemoryView = MemoryVersion.extend({ name: MemoryName });
const MemoryList = z.object({ memories: z.array(MemoryView), total: z.int(), next: z.int().nullable() });
const MemoryDetails = MemoryView.extend({ previous: z.array(MemoryVersion) });

const AGENT: Readonly<Record<string, QueryParameter>> = {
  agent: { schema: z.string(), description: "The agent whose memories are meant." },
};

export function memoryRoutes(store: MemoryStore, loadRank: () => Promise<Rank>): readonly ToolkitRoute[] {
  const list = withOwner((owner, { query }) => listMemories(store, owner, query, loadRank));

  const show = withOwner(async (owner, { params }) => {
    const listed = await store.list(owner);
    if (!listed.ok) return listed;
    const memory = listed.value.find(({ name }) => name === params.name);
    if (!memory) return notFound();
    return ok({ body: { ...view(memory), previous: memory.previous.map(viewVersion) } });
  });

  const remove = withOwner(async (owner, { params }) => {
    const removed = await store.remove(owner, params.name ?? "");
    if (!removed.ok) return removed;
    return removed.value ? ok({}) : notFound();
  });

  const clear = withOwner(async (owner) => {
    const cleared = await store.clear(owner);
    return cleared.ok ? ok({}) : cleared;
  });

  return [
    toolkitRoute(["get", "/v1/memories", "read"], list, {
      id: "listMemories",
      summary: "List what an agent remembers",
      description: "The newest first, or ranked by the words of `q`.",
      query: {
        ...AGENT,
        q: { schema: z.string().optional(), description: "Words to look for." },
        limit: { schema: z.int().min(1).max(LIMIT_MAX).optional(), description: "50 by default." },
        offset: { schema: z.int().min(0).optional(), description: "`next` of the previous page." },
      },
      responses: { 200: { description: "One page of memories.", schema: MemoryList } },
      problems: ["request_invalid", "state_corrupt"],
    }),
    toolkitRoute(["get", "/v1/memories/:name", "read"], show, {
      id: "getMemory",
      summary: "Show a memory with its earlier versions",
      query: AGENT,
      responses: { 200: { description: "The memory.", schema: MemoryDetails } },
      problems: ["request_invalid", "memory_not_found", "state_corrupt"],
    }),
    toolkitRoute(["delete", "/v1/memories/:name", "advance"], remove, {
      id: "deleteMemory",
      summary: "Delete a memory with all its versions",
      query: AGENT,
      responses: { 204: { description: "The memory was deleted.", schema: null } },
      problems: ["request_invalid", "memory_not_found", "document_moved", "state_corrupt"],
    }),
    toolkitRoute(["delete", "/v1/memories", "advance"], clear, {
      id: "deleteMemories",
      summary: "Delete everything that an agent remembers",
      query: AGENT,
      responses: { 204: { description: "The memories were deleted.", schema: null } },
      problems: ["request_invalid", "state_corrupt"],
    }),
  ];
}

type Handler = ToolkitRoute["handler"];

const withOwner =
  (handle: (owner: MemoryOwner, request: RouteRequest) => ReturnType<Handler>): Handler =>
  (request) => {
    const { agent } = request.query;
    if (!agent)
      return fail("request_invalid", "agent: is required, because memories belong to an agent.", { field: "agent" });
    return handle({ tenant: request.caller.tenant, agent }, request);
  };

const notFound = () => fail("memory_not_found", "The agent has no memory with this name.");

const viewVersion = ({ version, text, trust, thread, saved_at }: MemoryVersion): MemoryVersion => ({
  version,
  text,
  trust,
  thread,
  saved_at,
});
const view = (memory: Memory) => ({ name: memory.name, ...viewVersion(memory) });

async function listMemories(
  store: MemoryStore,
  owner: MemoryOwner,
  query: RouteRequest["query"],
  loadRank: () => Promise<Rank>,
): Promise<Result<{ readonly body: z.infer<typeof MemoryList> }>> {
  const limit = Number(query.limit ?? 50);
  const offset = Number(query.offset ?? 0);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    return fail("request_invalid", `limit: must be a whole number from 1 to ${LIMIT_MAX}.`, { field: "limit" });
  if (!Number.isInteger(offset) || offset < 0)
    return fail("request_invalid", "offset: must be a whole number of at least 0.", { field: "offset" });
  const listed = await store.list(owner);
  if (!listed.ok) return listed;
  const ranked = await rankMemories(listed.value, { query: query.q ?? "", owner, loadRank });
  const next = offset + limit < ranked.length ? offset + limit : null;
  return ok({ body: { memories: ranked.slice(offset, offset + limit).map(view), total: ranked.length, next } });
}
