// Loads the configured language server on the first request, because few servers have one.
import { loadOptional } from "../../../http/optional-package.ts";
import type { LanguageServer } from "../../../ports/data/language-server.ts";
import { ok, type Result } from "../../../schema/problem.ts";

type Options = { readonly command: string; readonly initialization_options: Readonly<Record<string, unknown>> };

const importAdapter = () => import("../../../adapters/language-server/language-server.ts");

export function lazyLanguageServer(options: Options, load = importAdapter): LanguageServer {
  let server: LanguageServer | null = null;
  // A failure to load is not cached, so that the next request tries again.
  const opened = async (): Promise<Result<LanguageServer>> => {
    const loaded = await loadOptional("vscode-jsonrpc", load);
    if (!loaded.ok) return loaded;
    server ??= loaded.value.createLanguageServer(options);
    return ok(server);
  };
  return {
    async ask(asking) {
      const found = await opened();
      return found.ok ? found.value.ask(asking) : found;
    },
    close: async () => server?.close(),
  };
}
