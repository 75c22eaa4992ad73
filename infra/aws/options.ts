// The options of a deployment, given as context: `npm run deploy -- -c name=value`, or in the "context" of cdk.json.
import type { Node } from "constructs";

export type PawlOptions = {
  /** Receives the alarms. */
  readonly alarm_email?: string;
  /** More variables of both functions, for example PAWL_CLAIMS. Keys belong into the secret. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How many requests the URL serves at once; more are refused. Without it, the limit of the account. */
  readonly reserved_concurrency?: number;
  /** How many background runs the queue starts at once. */
  readonly max_concurrency?: number;
  /** A name of your own for the URL, with its certificate in us-east-1. */
  readonly domain?: { readonly name: string; readonly certificate_arn: string };
};

/** SQS accepts no other numbers. */
const MAX_CONCURRENCY_RANGE = [2, 1000] as const;

export function readOptions(node: Node): PawlOptions {
  const text = (name: string): string | undefined => {
    const value: unknown = node.tryGetContext(name);
    return value === undefined || value === "" ? undefined : String(value);
  };
  const number = (name: string, min: number, max: number): number | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    const value = Number(given);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new Error(`${name}: ${given} is not a whole number from ${min} to ${max}`);
    return value;
  };
  return withoutUndefined({
    alarm_email: text("alarm_email"),
    environment: readEnvironment(node.tryGetContext("environment")),
    reserved_concurrency: number("reserved_concurrency", 1, 100_000),
    max_concurrency: number("max_concurrency", ...MAX_CONCURRENCY_RANGE),
    domain: readDomain(text("domain"), text("certificate_arn")),
  });
}

type Optional<T> = { [K in keyof T]: Exclude<T[K], undefined> };
const withoutUndefined = <T extends object>(values: T): Partial<Optional<T>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Optional<T>>;

/** An object in cdk.json, or JSON on the command line. */
function readEnvironment(given: unknown): Record<string, string> | undefined {
  if (given === undefined || given === "") return undefined;
  const value: unknown = typeof given === "string" ? JSON.parse(given) : given;
  if (typeof value !== "object" || value === null) throw new Error("environment: is not an object");
  const entries = Object.entries(value).map(([name, one]) => [name, String(one)] as const);
  const secret = entries.find(([name]) => /KEY|SECRET|TOKEN|PASSWORD/.test(name));
  if (secret) throw new Error(`environment: ${secret[0]} looks like a secret; store it in the secret of the stack`);
  return Object.fromEntries(entries);
}

function readDomain(name: string | undefined, certificate_arn: string | undefined): PawlOptions["domain"] {
  if (name === undefined && certificate_arn === undefined) return undefined;
  if (name === undefined || certificate_arn === undefined)
    throw new Error("domain and certificate_arn must be given together");
  return { name, certificate_arn };
}
