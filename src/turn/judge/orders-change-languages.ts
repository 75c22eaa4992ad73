// Detects orders to change something in German, French, Spanish and Japanese, and steps that depend on a condition. English and Chinese are handled
// in orders-change.ts.
import { lazyExpression } from "./lazy-expression.ts";

const EDGE = "(?![\\p{L}\\p{M}-])";

/** Words that may precede an imperative at the beginning of a clause, or an infinitive at its end. */
const DE_LEAD = "(?:\\d+\\s*[.):-]\\s*|[-*•]\\s+|(?:dann|danach|anschließend|bitte|nun|jetzt|zuerst|zuletzt)\\s+)*";
const DE_IMPERATIVE =
  "erstell(?:e|en Sie)?|schreib(?:e|en Sie)?|überschreibe|lösch(?:e|en Sie)|änder(?:e|n Sie)|ersetz(?:e|en Sie)?|entfern(?:e|en Sie)|verschieb(?:e|en Sie)?|speicher(?:e|n Sie)|send(?:e|en Sie)|schick(?:e|en Sie)?|aktualisier(?:e|en Sie)|korrigier(?:e|en Sie)|beheb(?:e|en Sie)?|repariere|buch(?:e|en Sie)|stornier(?:e|en Sie)|installier(?:e|en Sie)|kopier(?:e|en Sie)|veröffentliche|vertausche";
/** Separable verbs, as in "Lege die Datei an". */
const DE_PARTED =
  "(?:leg(?:e|en Sie)?\\b.*\\ban|füg(?:e|en Sie)?\\b.*\\b(?:hinzu|ein|an)|trag(?:e|en Sie)?\\b.*\\bein|benenn(?:e|en Sie)?\\b.*\\bum|lad(?:e|en Sie)?\\b.*\\bhoch|sag(?:e|en Sie)?\\b.*\\bab|setz(?:e|en Sie)?\\b.*\\b(?:auf|zurück)|stell(?:e|en Sie)?\\b.*\\b(?:ein|um|wieder her))";
const DE_INFINITIVE =
  "anlegen|erstellen|schreiben|überschreiben|löschen|ändern|hinzufügen|einfügen|anfügen|verschieben|senden|schicken|speichern|umbenennen|ersetzen|entfernen|aktualisieren|korrigieren|beheben|reparieren|eintragen|buchen|stornieren|absagen|installieren|kopieren|hochladen|veröffentlichen|vertauschen";

const FR_LEAD =
  "(?:\\d+\\s*[.):-]\\s*|[-*•]\\s+|(?:puis|ensuite|enfin|d['’]abord|veuillez|il faut|(?:peux-tu|pouvez-vous|pourriez-vous|pourrais-tu)(?:\\s+s['’]il (?:te|vous) plaît)?)\\s+)*";
const FR_VERBS =
  "cré(?:er|e|ez)|écri(?:re|s|vez)|supprim(?:er|e|ez)|effac(?:er|e|ez)|ajout(?:er|e|ez)|modifi(?:er|e|ez)|chang(?:er|ez)|déplac(?:er|e|ez)|renomm(?:er|e|ez)|envo(?:yer|ie|yez)|enregistr(?:er|e|ez)|remplac(?:er|e|ez)|corrig(?:er|e|ez)|(?:mettre|mets|mettez)\\s+à\\s+jour|annul(?:er|e|ez)|réserv(?:er|e|ez)|install(?:er|e|ez)|copi(?:er|e|ez)|insér(?:er|ez)|insère|planifi(?:er|e|ez)";

const ES_LEAD =
  "(?:\\d+\\s*[.):-]\\s*|[-*•]\\s+|(?:[¿¡]?(?:puedes|puede|podrías|podría)|luego|después|por favor|primero|finalmente)\\s*,?\\s+)*";
const ES_VERBS =
  "cre(?:ar|a|e)|escrib(?:ir|e|a)|elimin(?:ar|a|e)|borr(?:ar|a|e)|añad(?:ir|e|a)|agreg(?:ar|a)|agregue|modific(?:ar|a)|modifique|cambi(?:ar|a|e)|mover|muev(?:e|a)|renombr(?:ar|a|e)|envi(?:ar)|enví(?:a|e)|guard(?:ar|a|e)|reemplaz(?:ar|a)|reemplace|sustituir|sustituye|corregir|corrig(?:e)|corrija|actualiz(?:ar|a)|actualice|cancel(?:ar|a|e)|reserv(?:ar|a|e)|instal(?:ar|a|e)|copi(?:ar|a|e)|insert(?:ar|a|e)";

const LATIN_ORDERS = [
  `^${DE_LEAD}(?:${DE_IMPERATIVE})${EDGE}\\s+\\S`,
  `^${DE_LEAD}${DE_PARTED}${EDGE}`,
  `\\S\\s+(?:${DE_INFINITIVE})\\s*[.!?]?$`,
  `^${FR_LEAD}(?:${FR_VERBS})${EDGE}\\s+\\S`,
  `^${ES_LEAD}(?:${ES_VERBS})${EDGE}\\s+\\S`,
].map(lazyExpression);

/** Matches clauses about an answer for the user, which the delivery contains, so writing it is not a change. STORED_TEXT matches the exceptions. */
const USER_TEXT =
  /zusammenfassung|übersicht|antwort|tabelle|erklärung|résumé|réponse|aperçu|tableau|explication|resumen|respuesta|tabla|explicación|要約|まとめ|一覧|回答|概要|説明/iu;
/** Matches clauses that say where the result is stored. */
const STORED_TEXT = /\w\.[a-z]{1,4}\b|\/\w|datei|fichier|archivo|ファイル/iu;

const JA_ORDER =
  /を[^、。を]{0,12}?(?:(?:作成|削除|変更|更新|編集|追加|移動|保存|送信|修正|予約|キャンセル|コピー|インストール|登録|設定)(?:する|し|せよ|$)|(?:作|送)(?:る|って|り|れ)|書(?:く|い|き)|消(?:す|し)|移(?:す|し)|直(?:す|し)|取り消(?:す|し)|置き換え)/u;

/** True if the clause orders a change. */
export function ordersChangeInOtherLanguages(clause: string): boolean {
  if (USER_TEXT.test(clause) && !STORED_TEXT.test(clause)) return false;
  return JA_ORDER.test(clause) || LATIN_ORDERS.some((order) => order.test(clause));
}

const CONDITION =
  /\b(?:if|unless|in case|ensure|make sure|as needed|where needed|falls|wenn|sofern|sicherstellen|stelle sicher|vérifie que|assure-toi|si|asegúrate|en caso)(?![\p{L}\p{M}])|如果|若|确保|保证|なければ|場合|必要なら/iu;

/** True for a step that may find that nothing has to change, such as "Create the file if it is missing". */
export const isConditional = (text: string): boolean => CONDITION.test(text);
