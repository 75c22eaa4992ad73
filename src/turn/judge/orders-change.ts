// Decides whether a goal or a step orders a change ("Write report.txt"). An observation never proves such a step, whatever kind of proof the model declared.
// The verb of each clause decides. English and Chinese verbs are here; those of four more languages are in orders-change-languages.ts. In any other
// language the text does not decide: the run's evidence is reported by the kind of its receipts, and an attempted write shows that a change was
// intended.
import { ordersChangeInOtherLanguages } from "./orders-change-languages.ts";

/** Words that can precede the object of a change. A bare noun is not enough: "update history" is not an order. */
const OBJECT =
  /^(?:the|an?|it|its|this|that|these|those|them|my|our|your|his|her|their|each|every|all|both|any|one|two|three|new|another|task|event|file|line|to|into)\b|^\w+\s+(?:\d|with\b|by\b)|^["'`“”‘’«#<@\d/.~]|^\S*\w\.\w|^\S*[/_]\w/i;

/** Verbs that are an order even without an object, if they begin the first clause. */
const VERBS =
  "write|rewrite|overwrite|create|delete|remove|erase|rename|send|save|append|insert|modify|replace|reschedule|cancel|upload|publish|install|uninstall|fix|repair|move|add|refactor|implement|notify|back up|make (?:the|an?) (?:change|edit|file|folder|copy|branch|commit|backup|entry|appointment|reminder)s?";
/** Verbs that are also nouns, so they count only before an object. */
const VERBS_THAT_ARE_NOUNS =
  "update|change|edit|patch|set|book|schedule|post|commit|push|copy|swap|shift|deploy|store|drop|reset|restore|undo|revert|merge|format|mail|email|e-mail|place|put|clear|apply|correct|mark";
const GERUNDS =
  "writing|rewriting|creating|deleting|removing|renaming|sending|saving|appending|inserting|modifying|replacing|rescheduling|cancelling|canceling|moving|adding|updating|changing|editing|fixing";

/** Words that may precede the verb of an order. */
const LEAD = String.raw`(?:(?:step\s+)?\d+\s*[.):-]\s*|[-*•]\s+|(?:then|next|finally|now|first|please|also|afterwards|lastly|second|third)\b,?\s+|(?:i|we)(?:\s+(?:will|shall|must|should|can)|['’]ll|\s+(?:am|are)\s+going\s+to|\s+need\s+to)\s+|(?:can|could|would|will)\s+you\s+(?:please\s+)?|i(?:\s+would|['’]d)?\s+(?:like|want)\s+(?:you\s+)?to\s+|use\s+\S+\s+(?:tool\s+)?to\s+|go\s+(?:on\s+)?and\s+)*`;
const ORDER = new RegExp(`^${LEAD}(?:(${VERBS})|(${VERBS_THAT_ARE_NOUNS})|(${GERUNDS}))(?![\\w-])\\s*(.*)$`, "is");

/** Phrases in which these verbs mean something else. */
const OTHER_MEANING =
  /^(?:up|down|together|on)\b|^to\s+the\s+(?:next|last|second|final)\b|^(?:into\s+)?director(?:y|ies)\b/i;
/** Verbs that can order an answer for the user, which the delivery contains, so writing it is not a change. */
const TEXT_VERBS = /^(?:write|create|send|add|writing|creating|sending|adding)$/i;
const USER_TEXT =
  /^(?:\S+\s+)?(?:the\s+user|me|us)\b|^(?:\S+\s+){0,3}(?:summary|summaries|overview|answer|reply|response|explanation|conclusion|comparison|list|table|outline|description|delivery|results?|findings)\b(?!\.\w)/i;
/** Matches clauses that say where the result is stored, so that writing it is a change. */
const STORED_TEXT = /\b(?:file|folder|disk|database|repository|e-?mail|channel)s?\b|\w\.[a-z]{1,4}\b|\/\w/i;

/** Matches results that must exist afterwards. "Ensure that the tests pass" may be a lookup. */
const ENSURES =
  /^(?:please\s+|then\s+)*(?:ensure|make\s+sure|see\s+to\s+it)(?:\s+that)?\s+(?:there\s+(?:is|are)\s|.*\b(?:exists?|contains?|has|have)\b)|^\s*(?:请|然后)*(?:确保|保证).*(?:存在|包含|有)|^(?:bitte\s+)?stelle?\s+sicher.*\b(?:existiert|enthält|gibt|vorhanden)\b/iu;

const CLAUSES = /[,;，；。\n]+|\.\s|\s(?:and|then|but)\s/i;

const ZH_LEAD =
  "(?:(?:你|您)?(?:能不能|能否|可以|可否|能)|帮我|帮忙|幫我|請|麻烦|第[一二三四五六七八九十\\d]+步[:：]?|\\d+[.、)）]|然后|接着|最后|再|并且?|请|首先|先|随后|我会|我将|去)*";
const ZH_VERBS =
  "创建|創建|新建|建立|寫入|刪除|修改|写入|编写|写(?!作|法|手)|重写|修改|更新|更改|编辑|删除|移除|清除|移动|移到|重命名|改名|发送|发(?=邮件|消息|信)|保存|存储|添加|增加|新增|插入|追加|替换|预订|预定|取消|改期|安排|复制|上传|发布|安装|卸载|提交|修复|修正|调整|撤销|恢复|交换|实现|标记";
/** Excludes nouns that contain these verbs, such as "更新日志" (change log). */
const ZH_NOUN =
  "(?!日志|记录|历史|内容|情况|时间|说明|列表|方案|建议|日期|状态|原因|方式|规则|者|了什么|一?[份个段]?(?:简[短要]的?)?(?:总结|摘要|概述|回答|答复))";
const ZH_ORDER = new RegExp(
  `^\\s*${ZH_LEAD}\\s*(?:(?:${ZH_VERBS})${ZH_NOUN}|[把将][^，。；]{1,40}?(?:${ZH_VERBS}|移|改|放|写|删|设|存|发给))`,
);

export const ordersChange = (text: string): boolean => {
  const clauses = text.split(CLAUSES);
  return (
    ENSURES.test(text.trim()) ||
    clauses.some(
      (clause, i) =>
        isOrder(clause.trim(), i === 0) || ZH_ORDER.test(clause) || ordersChangeInOtherLanguages(clause.trim()),
    )
  );
};

/** A later clause may continue a list of nouns ("options to move and swap"), so its verb always needs an object. */
function isOrder(clause: string, isFirst: boolean): boolean {
  const order = ORDER.exec(clause);
  if (!order) return false;
  const [, verb, , gerund, object = ""] = order;
  const isUserText = TEXT_VERBS.test(verb ?? gerund ?? "") && USER_TEXT.test(object) && !STORED_TEXT.test(object);
  if (isUserText || OTHER_MEANING.test(object)) return false;
  return (isFirst && verb !== undefined) || OBJECT.test(object);
}
