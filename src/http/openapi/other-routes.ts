// The routes of events, sockets, tools and the server itself, described.
import { z } from "zod";
import { EXPORT_TYPE } from "../../schema/export.ts";
import { EmptyBody } from "../edge/tickets.ts";
import {
  EventPage,
  HealthBody,
  LiveEvent,
  OperationPage,
  ReadinessBody,
  TicketBody,
  ToolList,
  ToolSwitchBody,
  TurnResponse,
} from "./response-schemas.ts";
import type { QueryParameter, RouteDescription } from "./route-description.ts";

const after: QueryParameter = {
  schema: z.int().min(-1).optional(),
  description: "Only events with a higher seq; -1 from the beginning.",
};
const ticket: QueryParameter = {
  schema: z.string().optional(),
  description: "From POST /v1/tickets, instead of a header.",
};
const toolQuery: Readonly<Record<string, QueryParameter>> = {
  channel: { schema: z.string().optional(), description: "What another way in would see." },
  child: { schema: z.enum(["true", "false"]).optional(), description: "What a child of the thread would see." },
};
const toolSwitch: Pick<RouteDescription, "body" | "example" | "headers" | "responses"> = {
  body: z.strictObject({ enabled: z.boolean() }),
  example: { enabled: false },
  headers: ["If-Match"],
  responses: { 200: { description: "The switch as it is now.", schema: ToolSwitchBody, headers: ["ETag"] } },
};
const toolSwitchProblems = ["tool_unknown", "tool_core", "settings_moved", "version_mismatch"] as const;

export const OTHER_ROUTES: Readonly<Record<string, RouteDescription>> = {
  "GET /v1/threads/:id/events": {
    id: "getEvents",
    summary: "The events of a thread: a page, or a stream that does not end",
    description:
      "With `Accept: text/event-stream` first what was missed, then what happens. Durable events have an id, so a stream that breaks off goes on exactly there.",
    query: { after, ticket },
    headers: ["Last-Event-ID"],
    responses: { 200: { description: "Durable events in order.", schema: EventPage, stream: LiveEvent } },
    problems: ["thread_not_found", "request_invalid"],
    accepts_ticket: true,
  },
  "GET /v1/threads/:id/live": {
    id: "live",
    summary: "A WebSocket: the same events, and answers to gates",
    description:
      "Every text frame is one JSON object. Out: the events, and `response` or `problem` for each frame that came in (LiveAnswer). In: `clarify_response` and `tool_confirmation_response`, where `requestId` is the id of the gate, and `ping` (LiveFrame). An answer is the same as posting that input: same scopes, same problems. Frames up to 1 MB.",
    query: { after, ticket },
    headers: ["Last-Event-ID"],
    responses: { 101: { description: "The connection is a WebSocket now.", schema: null } },
    problems: ["thread_not_found", "request_invalid", "upgrade_required", "not_supported_here"],
    accepts_ticket: true,
  },
  "POST /v1/tickets": {
    id: "createTicket",
    summary: "A ticket for one stream or socket",
    description:
      "For browsers, which cannot send a header there. Works once, within a minute, at the server that gave it, with the rights of the key that asked.",
    body: EmptyBody,
    responses: { 201: { description: "The ticket.", schema: TicketBody } },
  },
  "GET /v1/threads/:id/tools": {
    id: "listThreadTools",
    summary: "The tools a thread sees, and why not the others",
    query: toolQuery,
    responses: { 200: { description: "The tools.", schema: ToolList } },
    problems: ["thread_not_found", "request_invalid"],
  },
  "GET /v1/threads/:id/operations/:op": {
    id: "getOperation",
    summary: "What a call told on its way, in the same order",
    description:
      "For calls that stream or tell their progress. `operation_id` is in every event of the call and in its record.",
    query: {
      after: { schema: z.int().min(-1).optional(), description: "Only lines with a higher n; -1 from the beginning." },
      limit: { schema: z.int().min(1).max(1000).optional(), description: "200 unless said." },
    },
    responses: { 200: { description: "A page of the log.", schema: OperationPage } },
    problems: ["operation_not_found", "thread_not_found", "request_invalid"],
  },
  "GET /v1/tools": {
    id: "listTools",
    summary: "The tools of an agent",
    query: { agent: { schema: z.string().optional(), description: "The default agent unless said." }, ...toolQuery },
    responses: { 200: { description: "The tools.", schema: ToolList } },
    problems: ["agent_not_found", "request_invalid"],
  },
  "PATCH /v1/tools/:name": {
    id: "switchTool",
    summary: "Switch a tool on or off for all agents",
    ...toolSwitch,
    problems: toolSwitchProblems,
  },
  "PATCH /v1/agents/:id/tools/:name": {
    id: "switchAgentTool",
    summary: "Switch a tool on or off for one agent",
    ...toolSwitch,
    problems: [...toolSwitchProblems, "agent_not_found"],
  },
  "GET /v1/threads/:id/export": {
    id: "exportThread",
    summary: "A thread as one file that shows every change",
    description:
      "JSON lines: a header, the records as they are stored, the blobs they name, a footer; chained by hash. What other stores keep for the thread, such as its calendar, is not in it.",
    responses: { 200: { description: "The file.", schema: z.string(), type: EXPORT_TYPE } },
    problems: ["thread_not_found", "turn_running", "state_corrupt"],
  },
  "POST /v1/import": {
    id: "importThread",
    summary: "A thread from an exported file, under the id it had",
    description:
      "Up to 64 MB. A file in which the thread has `auto_approve` or an approved plan needs the scope `confirm` as well. An import that broke off is taken up by sending the file again. A run that a worker drove goes on here: take it away from where it came from.",
    body: z.string(),
    body_type: EXPORT_TYPE,
    responses: { 201: { description: "The thread.", schema: TurnResponse, headers: ["ETag", "Location"] } },
    problems: ["export_invalid", "thread_moved", "newer_version", "record_too_large"],
  },
  "GET /openapi.json": {
    id: "openapi",
    summary: "This document",
    responses: { 200: { description: "OpenAPI 3.1.", schema: z.looseObject({ openapi: z.literal("3.1.1") }) } },
  },
  "GET /docs": {
    id: "docs",
    summary: "This document as a page",
    responses: { 200: { description: "A page that needs nothing else.", schema: z.string(), type: "text/html" } },
  },
  "GET /problems/:code": {
    id: "problemPage",
    summary: "What a problem means and what to do",
    description: "A page, or plain Markdown where the request does not accept text/html.",
    responses: { 200: { description: "The page.", schema: z.string(), type: "text/html", plain: true } },
    problems: ["route_not_found"],
  },
  "GET /healthz": {
    id: "healthz",
    summary: "Is the server alive",
    responses: { 200: { description: "Yes.", schema: HealthBody } },
  },
  "GET /readyz": {
    id: "readyz",
    summary: "Can the server work: does its store read and write",
    responses: { 200: { description: "Yes.", schema: ReadinessBody } },
  },
};
