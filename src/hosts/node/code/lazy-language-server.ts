// The configured language server, loaded with the first question: few servers have one.
import type { LanguageServer } from "../../../ports/data/language-server.ts";

type Options = { readonly command: string; readonly initialization_options: Readonly<Record<string, unknown>> };

export function lazyLanguageServer(options: Options): LanguageServer {
  let loading: Promise<LanguageServer> | null = null;
  const load = async (): Promise<LanguageServer> => {
    const { createLanguageServer } = await import("../../../adapters/language-server/language-server.ts");
    return createLanguageServer(options);
  };
  return {
    async ask(asking) {
      loading ??= load();
      return (await loading).ask(asking);
    },
    close: async () => (await loading)?.close(),
  };
}
