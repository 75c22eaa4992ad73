import { expect, test } from "vitest";
import { asksForLook } from "../../../src/turn/judge/asks-look.ts";

const lines = (text: string): string[] => text.trim().split("\n");

/** Wishes for a change, most of them in words or languages that are not read as orders. */
const CHANGES = lines(`
Bump the version to 3
Bring the config up to date
Tidy the imports in main
Get the report over to Bob
Can you get Ada onto the guest list?
Could you sort out my Friday?
Pop the dentist into Tuesday
Jot down the shopping list
Turn off the alarm
Enable dark mode
Migrate the table
Order a pizza
Pay the invoice
Invite Bob
Reply to Ada that I agree
Look at the config and bump it
Find a slot and take it
Read the file, then tidy it
Check the branch and squash it
Free up Friday afternoon
Make Friday free
Let Bob know that I am late
Tell Bob that I am late
Answer Ada's mail
Ask Bob by mail whether he comes
Print the report on paper
Report the bug to the tracker
Aggiorna la configurazione
Manda la mail a Marco
Puoi aggiornare la configurazione?
Potresti spostare la riunione a venerdì?
Atualize a configuração
Você pode enviar o e-mail?
Envie o e-mail ao cliente
Werk de configuratie bij
Kun je de mail versturen?
Verstuur de mail
Обнови конфигурацию
Можешь отправить письмо?
Отправь письмо Бобу
Zaktualizuj konfigurację
Czy możesz wysłać maila?
설정을 업데이트해 주세요
메일을 보내줄 수 있어?
Yapılandırmayı güncelle
Postayı gönderebilir misin?
حدّث الإعدادات
هل يمكنك إرسال البريد؟
Cập nhật cấu hình
Bạn có thể gửi email không?
Uppdatera konfigurationen
Kan du skicka mejlet?
Päivitä asetukset
Voisitko lähettää viestin?
Ενημέρωσε τις ρυθμίσεις
कॉन्फ़िगरेशन अपडेट करो
Bring die Konfiguration auf den neuesten Stand
Kannst du die Mail rausschicken?
Mach den Freitag frei
Räume den Ordner auf
Mets la config en ordre
Tu peux virer la réunion ?
Pon la cita el viernes
¿Me puedes mandar el correo a Ana?
把会议弄掉
能帮我把周五空出来吗
帮我搞定配置
把邮件转给 Bob
設定を最新にして
メールを送ってくれますか
予定を入れてもらえますか？
Оновіть файл налаштувань
Pošli e-mail Bobovi
Trimite e-mailul lui Bob
Küldd el az e-mailt
看牙医前30分钟提醒我
帮我在下周找个上午安排90分钟的写作
Find a slot of one hour on Tuesday and put in a haircut
I need to study 6 hours for the exam
`);

/** Wishes to look something up, as goals and as steps. */
const LOOKS = lines(`
What is on Friday of week 4?
How many files are in src?
Find out why the build is slow
Check that the server answers
Compare the two offers
Which of my meetings clash
Is the port open?
Look through the notes for Ada's address
Run the tests and tell me which fail
Tell me what changed yesterday
Who wrote this module?
Give me a summary of the log
Do I have time on Thursday?
Am I free on Monday morning?
Can I meet Bob on Friday?
Any free slot next week?
I want to know how long the trip takes
I need to know which tests fail
Please look up the address of the dentist
Verify the checksum of the archive
Investigate the crash
Get the weather for Berlin
Fetch the page and extract the title
Work out the total
Summarise the thread in three lines
Explain the error in the log
Show my tasks
Let me know how many turns are left
Could you check whether the mail arrived?
Can you tell me the time?
Would you look at the failing test and explain it?
Help me understand the diff
Read README.md and name the license
Count the lines and list the longest
Recommend a slot
Find a free slot
Locate the definition of add
Choose a slot on Friday morning
Identify the failing test and its cause
Determine the current date
View the calendar of next week
Inspect the folder and read the tests
Confirm the change is there
Run node --test to see the failures
Learn the layout of the project
Understand what the tests expect
See what is in the folder
Welche Termine habe ich am Freitag?
Prüfe, ob der Server antwortet
Finde heraus, warum der Test fehlschlägt
Kannst du nachsehen, ob die Mail da ist?
Zeig mir die offenen Aufgaben
Wie viele Dateien sind im Ordner?
Den Ordner ansehen
Einen freien Termin suchen
Vergleiche die beiden Angebote
周五有什么安排
查看第二周的日程
帮我看看哪天有空
比较两个方案
找一个空闲时段
读取测试文件，找出失败原因
能告诉我现在几点吗
第4周星期五有哪些任务？
¿Qué tengo el viernes?
Busca un hueco libre
Comprueba si el servidor responde
¿Puedes decirme la hora?
Quels sont mes rendez-vous vendredi ?
Vérifie que le serveur répond
Peux-tu me dire l'heure ?
Trouver un créneau libre
Cosa ho venerdì?
Controlla se il server risponde
Puoi dirmi che ore sono?
Trova un orario libero
O que tenho na sexta?
Verifique se o servidor responde
Procure um horário livre
Wat staat er vrijdag op de agenda?
Zoek een vrij moment
Что у меня в пятницу?
Проверь, отвечает ли сервер
Найди свободное время
Покажи мои задачи
Co mam w piątek?
Sprawdź, czy serwer odpowiada
금요일에 뭐가 있어?
빈 시간을 찾아줘
Cuma günü ne var?
Sunucunun yanıt verip vermediğini kontrol et
ماذا لدي يوم الجمعة؟
ابحث عن وقت فارغ
Thứ sáu tôi có gì?
Kiểm tra máy chủ
Vad har jag på fredag?
金曜日の予定は何ですか
空き時間を探してください
サーバーを確認する
शुक्रवार को क्या है?
Τι έχω την Παρασκευή;
Co mám v pátek?
`);

test("a wish for a change is never read as one to look", () => {
  expect(CHANGES.filter(asksForLook)).toEqual([]);
});

test("a wish to look is read as one, in many languages", () => {
  expect(LOOKS.filter((text) => !asksForLook(text))).toEqual([]);
});

test("a change at the end of a long text is noticed", () => {
  expect(asksForLook(`Find the words ${"a ".repeat(3_000)}\nWrite report.txt`)).toBe(false);
});

test("a long text without an end is read", () => {
  for (const part of ["第一步：然后", "then first, ", ".", "please ", "and it them ", "check ", "get the "])
    expect(asksForLook(part.repeat(4_000))).toBeTypeOf("boolean");
});
