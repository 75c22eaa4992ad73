// Stores text as an attribute: plain if it is short, and deflated if that saves bytes, because DynamoDB charges for the
// bytes that are read and written.
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";

const STATE =
  '{"schema":2,"created_at":"20","created_by":"","agent":"default","run":1,"turn":1,"machine":{"state":"execute","at":"deciding",' +
  '"mode":"direct","mode":"plan","state":"waiting","state":"deliver","state":"rest","at":null,"step":0,"steps":1,"back":null,' +
  '"outcome":"completed","outcome":null},"goal":"","plan":{"steps":[{"title":"","goal":"","done_when":""}]},"plan":null,' +
  '"plan_approval":"ask_writes","plan_approved":true,"plan_approved":false,"gate":{"kind":"confirmation","id":"gate_","expires_at":' +
  '"digest":""},"gate":null,"acting":null,"proofs":[{"step":0,"kind":"write","kind":"observation","receipt_id":"rcp_01","summary":"' +
  '"}],"failed_writes":[],"evidence":"proven","evidence_kind":"observed","evidence":null,"evidence_kind":null,"results":[{"step":0,' +
  '"text":"","receipt_id":"rcp_01"}],"results":[],"changes":[{"run":1,"turn":1,"tool":"","receipt_id":"rcp_01","summary":""}],' +
  '"changes":[],"budget":{"limit":{"turns":60,"tokens":null,"usd":null,"seconds":null},"used":{"turns":1,"tokens":0,"usd":0,"seconds"' +
  ':0}},"failures":{"decisions":0,"handlers":0},"idle":0,"last_digest":"","last_digest":null,"taint":null,"tools":{},"toolkits":[],' +
  '"auto_approve":[],"folded":{"lines":[],"counts":{}},"dialogue":{"lines":[],"dropped":0},"todo":[],"todo_blob":null,"files_blob":' +
  'null,"background":null,"estimate":{"model":"","factor":1.0},"estimate":null,"key_ring":[],"event_seq":1}';

const ENTRY =
  '{"schema":2,"commit_id":"cmt_01","at":"2026-01-01T00:00:00.000Z","actor":"","run":1,"turn":1,"create":null,"input":{"type":"' +
  'message","text":""},"input":{"type":"confirm","gate_id":"","digest":"","decision":"approve"},"input":null,"prompt_hash":null,' +
  '"prompt_hash":"","model":"","estimate_factor":1.0,"corrections":[],"decision":{"for":"plan","value":{"for":"execute","value":' +
  '{"action":"done","goal_check":"","action":"continue","speak":"","tool_call":{"name":"","arguments":{"":}}}},"judgement":{"flow":' +
  '{"passed":true,"reason":"the action is allowed in this state"},"evidence":{"passed":true,"reason":"no completion is asserted"},' +
  '"safety":{"passed":true,"reason":"within budget, no repeat, not idle"}},"speak":"","speak":null,"thought":null,"thought":"","call"' +
  ':{"name":"","manifest_version":"1","effect":"keyed","effect":"unkeyed","effect":"pure","arguments":{},"arguments_blob":null,' +
  '"arguments_digest":"","proposed_digest":null,"thought":""},"call":null,"receipts":[{"id":"rcp_01","run":1,"turn":1,"step_index":0' +
  ',"source":"write_receipt","source":"tool_observation","name":"","manifest_version":"1","arguments_digest":"","proposed_digest":' +
  'null,"gate_id":null,"actor":null,"output_trust":"untrusted","output_trust":"trusted","kind":"intended","kind":"settled",' +
  '"effect_id":null,"started_at":"2026-01-01T00:00:00.000Z","success":false,"success":true,"summary":"","finished_at":"2026-' +
  '","size":2048,"sha256":""}],"observation":{"receipt_id":"rcp_01","text":"","size":2048,"blob":null,"raw":null},"observation":null,' +
  '"operation":{"id":"opr_01","chunks":0,"stages":[],"ms":0},"operation":null,"signals":["run.delivered"],"signals":["turn.taken"],' +
  '"closed_gate":null,"problem":null,"usage":{"input_tokens":2000,"output_tokens":30,"usd":0,"model_calls":1},"key":null,"events":' +
  '{"first":1,"count":3},"prompt":{"now":"Monday 2026-01-01 00:00 UTC (UTC+00:00)","hash":""}}';

export const RECORD_DICTIONARY = Buffer.from(STATE + ENTRY);

/** Compressing shorter text is not worth the time, and plain text stays readable in the AWS console. */
const COMPRESS_MIN_CHARS = 256;
/**
 * Precedes bytes that need the dictionary. Others never begin with 7, which denotes a block type that does not exist.
 */
const DICTIONARY_MARK = Buffer.from([7]);

/** A lone surrogate, which UTF-8 cannot represent, becomes U+FFFD, as in every store. */
export function compressText(text: string): AttributeValue {
  const plain = text.toWellFormed();
  if (plain.length < COMPRESS_MIN_CHARS) return { S: plain };
  const bytes = Buffer.from(plain);
  const compressed = deflateRawSync(bytes, { dictionary: RECORD_DICTIONARY });
  return compressed.length < bytes.length ? { B: Buffer.concat([DICTIONARY_MARK, compressed]) } : { S: plain };
}

export function decompressText(value: AttributeValue | undefined): string {
  if (value?.S !== undefined) return value.S;
  const bytes = value?.B;
  if (bytes === undefined) throw new Error("the item does not have this text attribute");
  if (bytes[0] !== DICTIONARY_MARK[0]) return inflateRawSync(bytes).toString();
  return inflateRawSync(bytes.subarray(1), { dictionary: RECORD_DICTIONARY }).toString();
}

export type CompressedBytes = { readonly bytes: Buffer; readonly deflated: boolean };

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Asynchronous, because blobs can be megabytes. */
export async function compressBytes(text: string): Promise<CompressedBytes> {
  const bytes = Buffer.from(text.toWellFormed());
  if (bytes.length < COMPRESS_MIN_CHARS) return { bytes, deflated: false };
  const compressed = await deflate(bytes);
  return compressed.length < bytes.length ? { bytes: compressed, deflated: true } : { bytes, deflated: false };
}

export async function decompressBytes({ bytes, deflated }: CompressedBytes): Promise<string> {
  return (deflated ? await inflate(bytes) : bytes).toString();
}
