import { describe, expect, test } from "vitest";
import { tellsUser } from "../../../src/turn/judge/tells-user.ts";

describe("a step that only tells the user something", () => {
  test.each([
    "Tell the user what is there",
    "3. Finally, report the findings",
    "Answer the user's question",
    "Let the user know",
    "告诉用户结果",
    "把结果告诉用户",
    "向用户汇报结果",
    "Dem Nutzer das Ergebnis mitteilen",
    "Informer l'utilisateur du résultat",
    "Informar al usuario",
    "ユーザーに結果を伝える",
  ])("is read: %s", (text) => expect(tellsUser(text)).toBe(true));

  test.each([
    "Ask the user which one",
    "Tell the user the options and ask which one",
    "Report the error to the tracker",
    "Look up the calendar of the user",
    "Show the contents of a.txt",
    "Return the books",
    "Notify Sam by email",
    "查看用户的日程",
    "询问用户",
  ])("is not read into: %s", (text) => expect(tellsUser(text)).toBe(false));
});
