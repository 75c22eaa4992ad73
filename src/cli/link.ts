// Implements `pawl link`, which prints a link that opens the console once with the right to approve.
import { type ServerOptions, withConnection } from "./connect.ts";
import { t } from "./messages/messages.ts";
import { EXIT_OK, type ExitCode, printLine, reportError, reportProblem } from "./output.ts";

export function link(options: ServerOptions): Promise<ExitCode> {
  if (!options.url && !process.env.PAWL_URL) return Promise.resolve(reportError(t().linkNeedsUrl));
  return withConnection(options, async ({ client, url }) => {
    const made = await client.call<{ token: string }>("POST", "/v1/session/link", {});
    if (!made.ok && made.problem.code !== "route_not_found") return reportProblem(made.problem);
    printLine(`${url.replace(/\/$/, "")}/${made.ok ? `#token=${made.value.token}` : ""}`);
    return EXIT_OK;
  });
}
