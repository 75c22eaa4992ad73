import { describe, expect, test } from "vitest";
import { ordersChange } from "../../../src/turn/judge/orders-change.ts";

const lines = (text: string): string[] => text.trim().split("\n");

/** Steps that change something. */
const ORDERS = lines(`
Write report.txt
write report.txt with the totals
Create the file report.txt
Look at the folder and write report.txt
Read the notes, then update notes.md
List the folder; delete old.log
1. Move task 13 to day 2
Step 2: Send the e-mail to Bob
I will rename the branch
Then add a line to todo.md
Please save the summary to summary.md
Write a summary to report.txt
Write a summary into the file notes
Use write_file to create report.txt
Fix the failing test in math.js
Update the status of task 4
Set the reminder for Friday
Book a room for Monday
Schedule the dentist on Tuesday
Cancel event 12
Writing report.txt
Change port 80 to 8080 in config.json
Replace "foo" with "bar"
Move the task there
Swap tasks 3 and 4
Append a line
Publish the post
Remove duplicates from data.csv
Delete everything
Send message to channel
Implement multiply
Install left-pad
写 report.txt
创建文件 report.txt
把任务 13 移到周五上午
将会议改到下午三点
查看文件夹，然后写入 report.txt
删除旧日志
发送邮件给 Bob
更新 notes.md
第二步：修改 config.json
取消周五的会议
在文件夹中查看，并删除 old.log
安排一次牙医预约
Draft report.txt and store it in the workspace
Write the three totals into report.txt
Write out the file
Put the dentist appointment on the calendar
Make the change in src/math.js
Edit src/math.js so that add returns the sum
Apply the patch
Correct the typo in README.md
Move "Essay outline" to Thursday morning
Reschedule the essay outline
Create folder backup
Back up the database
Delete old.log if it is empty
Save results
Save the findings in notes.md
Add test for multiply
Add dentist appointment on 3 May at 10:00
Update README with the new option
Update package.json
Rename foo to bar
Commit the change
Mark task 3 as done
Send Bob the report by e-mail
Notify the channel about the release
Copy a.txt to b.txt
Merge the two files
Replace tabs by spaces
Find the slot and move the task to it
Once known, write the answer to answer.txt
After that, delete the temporary file
新增一个日程
把报告写入 report.txt
修复失败的测试
移动任务
保存结果到文件
将 a.txt 复制到 b.txt
编写 report.txt
发送通知
重命名文件
标记任务为完成
`);

/** Steps that look something up, ask or tell. Many of them name a change. */
const LOOKS = lines(`
look up who wrote report.txt
read the write-up
check whether the file was created
summarize the changes
Summarize the changes and report them
List the files to delete
Find out how to move the task
Look at the move and swap options
Show the create date of report.txt
Read CHANGELOG.md and the updates in it
Find a free slot
Check and verify the schedule
Compare the update history with the change log
Update history: read it
Change log: look at the newest entries
Search for calls of write and delete
Find out what would change
Determine which tasks can be moved
Ask the user which file to delete
Tell the user what was written
Check if the e-mail was sent
Verify that report.txt exists
Run the tests and note the failing ones
Get an overview of the calendar
Write a summary for the user
Write the answer
Read the log and write a short summary
Create a list of open questions
Send the user a summary
Add up the numbers
Move on to the next file
Change directory to src
Set of files: count them
Book list: show the authors
Post office hours: look them up
Commit history of main
Push events of the webhook
Look up the schedule and the book
Read the file and check that nothing was removed
Know which line to edit
Explain why the write failed
Identify the cause of the failing test
Look at report.txt
Inspect the patch and format of the file
View the store, copy and swap functions
Open the set and read it
List all commits
git log
Search the docs for "create a thread"
Find the function that writes the report
Ermittle, wer die Datei geschrieben hat
Lis die Datei set.txt
Lire le fichier et noter les erreurs
Buscar la hora de la cita
查看谁写了 report.txt
检查文件是否已创建
总结修改内容
更新日志：查看最新的条目
读取修改记录
查看任务安排
找出可以移动的任务
了解如何删除文件
查询周五的日程安排
写一份总结
列出要删除的文件
确认会议已取消
分析写作风格
看看有哪些更新
将结果告诉用户
把找到的内容总结给用户
Read package.json to learn the scripts
Look at the essay outline and what Thursday has free
Find the places where the file is written
Find what to fix
Learn which files were changed since yesterday
Count the lines of report.txt
Check the move for conflicts
Check that task 13 was moved to Thursday
Confirm that the change is in the file
Review the change
Review the commit and its message
Measure how even the load is
Read the e-mail from Bob
Get the send date of the message
See who created the event
List events of week 4
Show tasks that can be added
Search the web for how to install Node
Search memory for the user's name
Understand what the add function does
Understand the failing test
Run npm test and read the output
Run the tests
Examine the test to see what it replaces
Calculate the number of days until 3 May
Compute the sum and average
Compare the two versions
Determine today's date
Ask the user for the new name
Ask which event to cancel
Work out which tasks to move, and where
Decide which slot to use
Propose a new schedule
Suggest changes to the plan
Estimate the effort to implement the feature
Recall the earlier output
Recall the full listing and find the line
Analyze the log, and name the errors
Explain the error and the fix
Describe the update process
Evaluate the options: move, swap or cancel
Look into add.js
Look for the delete button
Look up the store hours
Look up set theory
Check the write permissions of the folder
Check the post and its replies
Query orders for updated rows
Query the database for deleted users
Fetch https://example.com/create
Fetch the page and extract the title
Identify the file to edit and the line to change
Gather the facts for the report
Collect the names, sizes and dates
Verify the tests pass after the change
Write down what the log says
Create an overview of the tasks
Prepare the answer
Report the findings
Tell the user the result
Summarize in Chinese
Translate the text
Know the cause of the failure
The failing tests and their cause are known
Free slot found
Calendar overview
查询今天的日期
读取 report.txt 的内容
查看文件夹里有哪些文件
确认任务是否已移动到周五
找出失败的测试和原因
运行测试并查看输出
比较两个版本的差异
计算距离五月三日的天数
询问用户要删除哪个文件
查找空闲时间段
查看最近的更新
搜索创建文件的方法
检查是否需要更新
阅读代码，了解 add 的实现
统计修改的行数
了解安排情况
向用户说明结果
核对新增的条目
`);

const OTHER_ORDERS = lines(`
Ensure report.txt exists
Make sure that notes/report.txt exists
Ensure there is a folder backup
确保 report.txt 存在
Stelle sicher, dass die Datei existiert
Lege die Datei notes/einkauf.txt an
notes/einkauf.txt mit der Zeile anlegen
Bitte erstelle die Datei report.txt
Dann lösche old.log
Den Termin auf Freitag verschieben
Füge eine Zeile hinzu
Schreibe eine Zusammenfassung in report.txt
Crée le fichier report.txt
Puis supprimer old.log
Mettez à jour notes.md
Envoie le message à Paul
Crear el archivo report.txt
Luego borra old.log
Añade una línea a notes.md
Envía el informe
report.txt を作成する
古いログを削除してください
会議を金曜日に移動する
要約をファイルに書く
`);

const OTHER_LOOKS = lines(`
Ensure that the tests pass
Make sure the totals are right
Prüfe, welche Dateien geändert wurden
Lies den Ordner notes
Schreibe eine Zusammenfassung
Eine Übersicht erstellen
Liste die letzten Änderungen auf
Lis le dossier notes
Vérifie les fichiers modifiés
Écris un résumé
Lee la carpeta notes
Busca los archivos creados
Escribe un resumen
フォルダを表示する
変更を確認する
要約を作成する
削除されたファイルを調べる
Cancellation policy: read it
Creative ideas: list them
`);

describe("text in another language, or one that ensures something", () => {
  test.each(OTHER_ORDERS)("%s orders a change", (text) => expect(ordersChange(text)).toBe(true));
  test.each(OTHER_LOOKS)("%s orders none", (text) => expect(ordersChange(text)).toBe(false));
});

describe("text that orders a change", () => {
  test.each(ORDERS)("%s", (text) => expect(ordersChange(text)).toBe(true));
});

describe("text that only reads, asks or reports", () => {
  test.each(LOOKS)("%s", (text) => expect(ordersChange(text)).toBe(false));
});

test("a long text takes no time to read", () => {
  expect(ordersChange("then first, ".repeat(2_000))).toBe(false);
  expect(ordersChange(`write ${"a ".repeat(5_000)}`)).toBe(true);
  expect(ordersChange("第一步：然后".repeat(1_000))).toBe(false);
});
