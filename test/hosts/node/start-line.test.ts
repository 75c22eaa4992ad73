import { describe, expect, test } from "vitest";
import { startupMessage } from "../../../src/hosts/node/startup-message.ts";
import { terminalLanguage } from "../../../src/language.ts";

const started = {
  host: "127.0.0.1",
  port: 8787,
  file: ".pawl/pawl.db",
  has_console: true,
  local_only: true,
  endpoint: null,
};

describe("the startup message", () => {
  test("the address, the data file and a call are there", () => {
    const lines = startupMessage(started);
    expect(lines).toContain("http://127.0.0.1:8787");
    expect(lines).toContain(".pawl/pawl.db");
    expect(lines).toMatch(/^ {2}curl -s http:\/\/127\.0\.0\.1:8787\/v1\/threads .*'\{"goal":".+"\}'$/m);
  });

  test("the demo model is named, with advice on how to use a real one", () => {
    const lines = startupMessage(started);
    expect(lines).toContain("demo: the built-in offline model");
    expect(lines).toContain("PAWL_MODEL");
    expect(lines).toContain("docs/how-to/configure-a-model.md");
  });

  test("a real model is named with the host that serves it, and nothing is said about a demo", () => {
    const lines = startupMessage({ ...started, endpoint: { model: "gpt-x", host: "llm.example.com:8443" } });
    expect(lines).toMatch(/^ {2}model {2}gpt-x at llm\.example\.com:8443$/m);
    expect(lines).not.toContain("demo");
  });

  test("a public server says that it accepts requests from other machines", () => {
    const lines = startupMessage({ ...started, host: "0.0.0.0", local_only: false });
    expect(lines).toContain("http://127.0.0.1:8787 and on every other address of this machine");
    expect(startupMessage(started)).not.toContain("every other address");
  });

  test("the page is named, or how to build it", () => {
    expect(startupMessage(started)).toMatch(/^ {2}page {3}http:\/\/127\.0\.0\.1:8787\/$/m);
    expect(startupMessage({ ...started, has_console: false })).toContain("npm run build");
  });

  test("a link that may approve is there only where one is needed", () => {
    expect(startupMessage(started)).not.toContain("#token=");
    const lines = startupMessage({ ...started, link_code: "abc" });
    expect(lines.match(/^ +http:\/\/127\.0\.0\.1:8787\/#token=abc$/m)).not.toBeNull();
    expect(lines).not.toContain("may do everything");
  });

  test("is Chinese where the environment asks for Chinese", () => {
    expect(terminalLanguage({ LANG: "zh_CN.UTF-8" })).toBe("zh");
    expect(terminalLanguage({ LC_ALL: "en_US.UTF-8", LANG: "zh_CN.UTF-8" })).toBe("en");
    expect(terminalLanguage({})).toBe("en");
    const lines = startupMessage({ ...started, link_code: "code", sandboxed: true }, "zh").split("\n");
    expect(lines[0]).toBe("Pawl 已启动：http://127.0.0.1:8787");
    // Apart from names, addresses and commands, no English sentence is left.
    expect(lines.filter((line) => /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(line))).toEqual([]);
  });
});
