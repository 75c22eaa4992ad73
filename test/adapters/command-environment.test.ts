import { expect, test } from "vitest";
import { commandEnvironment } from "../../src/adapters/operations-local/command-environment.ts";

const server = {
  PATH: "/usr/bin",
  HOME: "/home/ada",
  TERM: "xterm",
  OPENAI_API_KEY: "sk-canary",
  PAWL_API_KEYS: "ada:acme:pawl_canary",
  AWS_SECRET_ACCESS_KEY: "canary",
  NODE_OPTIONS: "--require ./x.js",
  CARGO_HOME: "/opt/cargo",
};

test("a command gets the usual variables and nothing else", () => {
  expect(commandEnvironment(server)).toEqual({ PATH: "/usr/bin", HOME: "/home/ada", TERM: "dumb" });
});

test("named variables are passed on if they are set", () => {
  expect(commandEnvironment(server, ["CARGO_HOME", "NOT_SET"])).toMatchObject({ CARGO_HOME: "/opt/cargo" });
  expect(Object.keys(commandEnvironment(server, ["NOT_SET"]))).not.toContain("NOT_SET");
});
