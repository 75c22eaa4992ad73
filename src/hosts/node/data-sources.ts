// Opens the configured data sources. The driver is loaded, and a connection opened, only when a tool first reads.
import { readMysqlUrl } from "../../adapters/data-mysql/mysql-url.ts";
import { loadOptional } from "../../http/optional-package.ts";
import type {
  DataAttempt,
  DataSource,
  DataSources,
  JudgeStatement,
  NamedSource,
} from "../../ports/data/data-source.ts";
import type { Config } from "../../schema/config.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { DataSourceConfig } from "../../schema/toolkits/toolkit-config.ts";
import type { Environment } from "../shared/config.ts";

/** Null if no source is configured, in which case the toolkit is absent. */
export function openDataSources(
  { data_sources }: Pick<Config, "data_sources">,
  env: Environment,
  onAttempt: (attempt: DataAttempt) => void,
): Result<DataSources | null> {
  const sources: NamedSource[] = [];
  for (const [name, config] of Object.entries(data_sources)) {
    const opened = openSource(name, config, env);
    if (!opened.ok) return opened;
    sources.push(opened.value);
  }
  return ok(sources.length === 0 ? null : { sources, judge, onAttempt });
}

const judge: JudgeStatement = async (sql, { tables, masked, database }) => {
  const { judgeSql } = await import("../../toolkits/data/sql/judge-sql.ts");
  const verdict = judgeSql(sql, { dialect: "mysql", masked, database, ...(tables ? { tables } : {}) });
  if (verdict.verdict === "allow") return ok(verdict.sql);
  return fail("query_refused", verdict.reason, { code: verdict.code });
};

function openSource(name: string, config: DataSourceConfig, env: Environment): Result<NamedSource> {
  const { url_env, agents, limits, ...rest } = config;
  const url = env[url_env]?.trim() ?? "";
  if (url === "") return fail("config_invalid", `data_sources.${name}.url_env: ${url_env} is not set.`);
  const address = readMysqlUrl(url, url_env);
  if (!address.ok) return address;
  const load = (): Promise<Result<DataSource>> =>
    loadOptional("mysql2", async () => {
      const { createMysqlSource } = await import("../../adapters/data-mysql/mysql-source.ts");
      return createMysqlSource(address.value);
    });
  const source: DataSource = {
    read: async (sql, options) => {
      const loaded = await load();
      return loaded.ok ? loaded.value.read(sql, options) : loaded;
    },
    tables: async (databases, options) => {
      const loaded = await load();
      return loaded.ok ? loaded.value.tables(databases, options) : loaded;
    },
  };
  return ok({
    ...rest,
    ...limits,
    name,
    agents: agents === "all" ? null : agents,
    database: address.value.database,
    source,
  });
}
