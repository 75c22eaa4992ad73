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
    "Provide the user with an answer",
    "Share the result with the user",
    "Answer the question",
    "Explain the result",
    "Write up the answer for the user",
    "Inform the user about conflicts",
    "总结结果并告知用户",
    "给出答案",
    "汇报结果",
  ])("is read: %s", (text) => expect(tellsUser(text)).toBe(true));

  test.each([
    "Ask the user which one",
    "Tell the user the options and ask which one",
    "Report the error to the tracker",
    "Look up the calendar of the user",
    "Show the contents of a.txt",
    "Return the books",
    "Notify Sam by email",
    "Give the user admin rights",
    "Let the user edit the page",
    "Notify the users by email",
    "Show the user name in the header",
    "Return the deposit to the user",
    "Report the user to the moderators",
    "Tell the user what was found and delete the file",
    "Show users only their own rows",
    "向用户发送邮件报告",
    "查看用户的日程",
    "询问用户",
  ])("is not read into: %s", (text) => expect(tellsUser(text)).toBe(false));
});
