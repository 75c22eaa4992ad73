import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "./total.js";

test("all items count", () =>
  assert.equal(
    total([
      { cents: 250, count: 2 },
      { cents: 100, count: 1 },
    ]),
    600,
  ));
test("no items cost nothing", () => assert.equal(total([]), 0));
