// Defines ids: branded, prefixed, and created only by the ids port (or, for a create request with a key, from a hash).
import * as z from "zod";

/** 26 characters: Crockford base32 of time and randomness, so that ids sort by age, or the hex digits of a hash. */
const ID_SUFFIX = "[0-9a-z]{26}";
export const idPattern = (prefix: string): RegExp => new RegExp(`^${prefix}_${ID_SUFFIX}$`);
export const prefixedId = <P extends string, B extends string>(prefix: P, _brand: B) =>
  z.string().regex(idPattern(prefix), `must be ${prefix}_ and 26 characters`).brand<B>();

export const ThreadId = prefixedId("thr", "ThreadId");
export type ThreadId = z.infer<typeof ThreadId>;
const THREAD_ID = idPattern("thr");
/** The same check without the overhead of a schema, because every request needs it. */
export const isThreadId = (text: string): text is ThreadId => THREAD_ID.test(text);
export const GateId = prefixedId("gat", "GateId");
export type GateId = z.infer<typeof GateId>;
export const ReceiptId = prefixedId("rcp", "ReceiptId");
export type ReceiptId = z.infer<typeof ReceiptId>;
export const CommitId = prefixedId("cmt", "CommitId");
export type CommitId = z.infer<typeof CommitId>;
export const EffectId = prefixedId("eff", "EffectId");
export type EffectId = z.infer<typeof EffectId>;
export const OperationId = prefixedId("opr", "OperationId");
export type OperationId = z.infer<typeof OperationId>;
export const ApprovalId = prefixedId("apr", "ApprovalId");
export type ApprovalId = z.infer<typeof ApprovalId>;

export type IdPrefix =
  | "thr"
  | "apr"
  | "gat"
  | "rcp"
  | "cmt"
  | "eff"
  | "opr"
  | "req"
  | "sch"
  | "whk"
  | "hok"
  | "dlv"
  | "tkt";

/** Comes from the configuration, never from a request. It must not contain the key separator of any store. */
export const TenantId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be lower-case letters, digits, - and _")
  .brand<"TenantId">();
export type TenantId = z.infer<typeof TenantId>;
export const LOCAL_TENANT = TenantId.parse("local");
/** The name of callers of a server without keys. */
export const LOCAL_NAME = "local";

export type ThreadRef = { readonly tenant: TenantId; readonly thread: ThreadId };

/** A name that people choose, such as that of an agent or a webhook. */
export const Name = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
    "must have at most 64 letters, digits, - _ and ., and begin with a letter or digit",
  );
