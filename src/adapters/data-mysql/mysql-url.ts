// Parses mysql://user:password@host:3306/database. The URL contains a password, so no message repeats any part of it.
import { fail, ok, type Result } from "../../schema/problem.ts";

export type MysqlAddress = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** True for `?ssl=true`. The server's certificate is then checked. */
  readonly ssl: boolean;
};

export function readMysqlUrl(text: string, variable: string): Result<MysqlAddress> {
  const url = URL.canParse(text) ? new URL(text) : null;
  const database = decode(url?.pathname.slice(1) ?? "");
  if (!url || !/^(?:mysql|mariadb):$/.test(url.protocol) || !url.hostname || !database || database.includes("/")) {
    return fail("config_invalid", `${variable} must be an address such as mysql://user:password@host:3306/database.`);
  }
  return ok({
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? 3306 : Number(url.port),
    user: decode(url.username),
    password: decode(url.password),
    database,
    ssl: url.searchParams.get("ssl") === "true",
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
