// Implements `pawl link`, which prints a link that opens the console once with the right to approve.
import { type ServerOptions, withConnection } from "./connect.ts";
import { t } from "./messages/messages.ts";
import { EXIT_OK, EXIT_PROBLEM, type ExitCode, printError, printLine, printProblem } from "./output.ts";

export function link(options: ServerOptions): Promise<ExitCode> {
  if (!options.url && !process.env.PAWL_URL) {
    printError(t().linkNeedsUrl);
    return Promise.resolve(EXIT_PROBLEM);
  }
  return withConnection(options, async ({ client, url }) => {
    const made = await client.call<{ token: string }>("POST", "/v1/session/link", {});
    if (made.ok) printLine(`${url.replace(/\/$/, "")}/#token=${made.value.token}`);
    else if (made.problem.code === "route_not_found") printLine(`${url.replace(/\/$/, "")}/`);
    else printProblem(made.problem);
    return made.ok || made.problem.code === "route_not_found" ? EXIT_OK : EXIT_PROBLEM;
  });
}
