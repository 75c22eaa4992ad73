// Decides whether a step only tells the user something ("Tell the user what you found"). The delivery does that, so such a step has no receipt.
// Only clear wordings count, in the languages of orders-change.ts; any other step keeps the proof that it declares.
import { ordersChange } from "./orders-change.ts";

/** Matches a step that asks a person. It has a receipt: the reply. */
const ASKS = /\b(?:ask|asks|confirm|choose|decide|frag|frage|demande|pregunta)\b|询问|请用户|确认|选择|尋ね|質問/iu;

/** Matches a step that sends its text elsewhere, for example by mail or to a file. It needs a receipt. */
const ELSEWHERE =
  /\b(?:by|via|per|through|over|on|in|into|to|as)\s+(?:(?:an?|the)\s+)?(?:e-?mail|mail|slack|sms|teams|text message|channel|chat group|file|folder|header|footer|page|\w+\.[a-z]{2,4})\b|邮件|短信|写入|保存|存到/iu;
const LEAD = "^(?:\\W|\\d|(?:then|finally|and|now|lastly|please)\\b)*";
const TEXT =
  "(?:results?|findings?|outcome|answers?|conclusions?|summar(?:y|ies)|overview|list|options?|explanation|comparison|details|information|conflicts?|problems?|(?:free\\s+)?(?:slots?|times?)|numbers?|totals?|what|which|whether|how|when|where|why|who|that|everything|it|them|this|these)";
const english = (source: string): RegExp => new RegExp(LEAD + source, "i");

const TELLS = [
  english(
    "(?:(?:tell|inform|notify|answer|explain|reply|respond|summari[sz]e)\\b.*\\b(?:users?|user's|them|me)\\b|let\\b.*\\b(?:users?|them|me)\\s+know\\b)",
  ),
  // "Give the user access" changes something, so the object must be information.
  english(
    `(?=.*\\b${TEXT}\\b)(?:give|show|present|provide|report|deliver|share|communicate|relay|pass|return|state|write\\s+up|output)\\b.*\\b(?:users?|user's|them|me)\\b`,
  ),
  english(
    "(?:report|summari[sz]e|present|deliver|return|explain|answer|output|provide|give|state|communicate)\\s+(?:back\\b|(?:the|all|your|my|an)\\s+(?:\\w+\\s+)?(?:results?|findings|outcome|answer|conclusions?|questions?)\\b)",
  ),
  /^[\s\d.、然后最再并]*(?:汇报|给出|报告|说明|总结|整理).{0,8}(?:结果|答案|结论|发现)/u,
  /^[\s\d.、然后最再并]*(?:向|给|把.*)?用户?.{0,8}(?:汇报|报告|说明|回复|回答|总结)|^[\s\d.、然后最再并]*(?:把.{1,16}?)?(?:告诉|告知|通知|回复|回答|汇报给?|报告给)(?:用户|我|他)/u,
  /^(?:\W|\d|(?:dann|zuletzt|bitte)\b)*(?:(?:sage?|teile?|berichte|antworte|zeige?|melde|nenne)\b.*\b(?:nutzer|benutzer|nutzerin|anwender|mir)\b|(?:dem|den)\s+(?:be)?nutzer\b.*\b(?:mitteilen|berichten|antworten|sagen|zeigen|nennen|informieren))/i,
  /^(?:\W|\d|(?:puis|enfin|ensuite)\b)*(?:dire|dis|informer|informe|répondre|réponds|présenter|présente|montrer|montre|rapporter|résumer|résume)\b.*\b(?:utilisateur|utilisatrice)\b/iu,
  /^(?:\W|\d|(?:luego|finalmente)\b)*(?:decir|di|informar|informa|responder|responde|presentar|presenta|mostrar|muestra|resumir|resume)\b.*\b(?:usuario|usuaria)\b/iu,
  /(?:ユーザー?|利用者)に.{0,24}(?:伝え|報告|知らせ|答え|説明|回答)/u,
];

export const tellsUser = (text: string): boolean =>
  !ASKS.test(text) && !ELSEWHERE.test(text) && !ordersChange(text) && TELLS.some((tells) => tells.test(text.trim()));
