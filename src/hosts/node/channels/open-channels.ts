// Opens the configured channels. The mail client is loaded when the first e-mail is sent.
import { loadOptional } from "../../../http/optional-package.ts";
import type { ChannelSettings, Channels } from "../../../ports/data/channel-settings.ts";
import type { Mailer } from "../../../ports/data/mailer.ts";
import type { Config } from "../../../schema/config.ts";
import { fail, ok, type Result } from "../../../schema/problem.ts";
import type { ChannelConfig } from "../../../schema/toolkits/toolkit-config.ts";
import type { Environment } from "../../shared/config.ts";

export function openChannels({ channels }: Pick<Config, "channels">, env: Environment): Result<Channels> {
  const opened: Record<string, ChannelSettings> = {};
  for (const [name, config] of Object.entries(channels)) {
    const settings = openChannel(name, config, env);
    if (!settings.ok) return settings;
    opened[name] = settings.value;
  }
  return ok(opened);
}

function openChannel(name: string, config: ChannelConfig, env: Environment): Result<ChannelSettings> {
  if (config.kind !== "email") return ok(config);
  const { url_env, ...settings } = config;
  const url = env[url_env]?.trim() ?? "";
  if (url === "") return fail("config_invalid", `channels.${name}.url_env: ${url_env} is not set.`);
  if (!/^smtps?:\/\/[^/]+\/?$/.test(url))
    return fail("config_invalid", `${url_env} must be an address such as smtps://user:password@host:465.`);
  return ok({ ...settings, mailer: lazyMailer(url, url_env) });
}

const lazyMailer = (url: string, variable: string): Mailer => ({
  async send(mail, signal) {
    const loaded = await loadOptional("nodemailer", () => import("../../../adapters/mail-smtp.ts"));
    if (!loaded.ok) return loaded;
    const address = loaded.value.readSmtpUrl(url, variable);
    return address.ok ? loaded.value.createSmtpMailer(address.value).send(mail, signal) : address;
  },
});
