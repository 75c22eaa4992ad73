// Detects installations for the whole user account. They write outside the workspace and often run code of the package
// immediately.

import type { SimpleCommand } from "../model.ts";
import { wordsOf } from "../parse/options.ts";
import type { RiskCode } from "../reasons.ts";

const INSTALL = /^(?:install|reinstall|upgrade|update|add)$/;

/** True if a verb of a program installs something for the whole account. `rest` are the words after the verb. */
const ACCOUNT_WIDE: Readonly<Record<string, (verb: string, rest: readonly string[]) => boolean>> = {
  brew: (verb) => INSTALL.test(verb) || /^(?:tap|link|bundle)$/.test(verb),
  cargo: (verb) => /^(?:install|binstall)$/.test(verb),
  gem: (verb) => /^(?:install|i|update)$/.test(verb),
  go: (verb, rest) => verb === "install" && rest.some((word) => word.includes("@")),
  pipx: (verb) => /^(?:install|install-all|inject|upgrade|upgrade-all|ensurepath|reinstall|reinstall-all)$/.test(verb),
  uv: (verb, rest) =>
    /^(?:tool|python|self)$/.test(verb) && (INSTALL.test(rest[0] ?? "") || rest[0] === "update-shell"),
  pip: (verb, rest) => verb === "install" && rest.includes("--user"),
  dotnet: (verb, rest) => verb === "tool" && rest.some((word) => /^(?:-g|--global|--tool-path)/.test(word)),
  deno: (verb, rest) =>
    verb === "upgrade" || (verb === "install" && rest.some((word) => /^(?:-g|--global)$/.test(word))),
  mix: (verb) => /^(?:archive|escript)\.install$/.test(verb),
  cabal: (verb) => verb === "install",
  stack: (verb) => verb === "install" || verb === "upgrade",
  // Without a package name, `npm link` puts a link into the folder of global packages.
  npm: (verb, rest) => verb === "link" && rest.length === 0,
  rustup: (verb, rest) => INSTALL.test(verb) || INSTALL.test(rest[0] ?? ""),
};

// Programs that install versions of languages and tools in the home folder.
const VERSION_MANAGER = /^(?:nvm|fnm|volta|nodenv|n|asdf|mise|pyenv|rbenv|jenv|sdk|goenv|tfenv|rtx)$/;

export function installRisks({ name, args }: SimpleCommand): readonly RiskCode[] {
  const words = wordsOf(args);
  const at = words.findIndex((word) => !/^[-+]/.test(word));
  const verb = words[at] ?? "";
  const rest = words.slice(at + 1);
  if (VERSION_MANAGER.test(name)) return installsVersion(verb, rest) ? ["package"] : [];
  const installs = ACCOUNT_WIDE[name.replace(/^pip3$/, "pip")];
  return installs?.(verb, rest) ? ["package"] : [];
}

const installsVersion = (verb: string, rest: readonly string[]): boolean =>
  /^(?:install|upgrade|self-update)$/.test(verb) ||
  (verb === "plugin" && /^(?:add|install|update)$/.test(rest[0] ?? "")) ||
  (verb === "use" && rest.some((word) => /^(?:-g|--global)$/.test(word)));
