/** What `zqagent demo` says: its prompt, and the lines of its scripted model. */
export const demo = {
  prompt: "A test of this project fails. Find out why, mend it, and show me that it works.",
  start: "I'll run the tests first, to see what fails.",
  look: "One test fails: ten pieces should get the quantity discount. I'll read the code and its test side by side.",
  found:
    "Found it. `src/cart.js` says in its own comment that the discount begins **with the tenth** piece, but compares with `>`: exactly ten pieces fall through.\n\nThe mend is one character:",
  again: "Now the same tests once more:",
  done: "All tests pass.\n\n| what | where |\n| --- | --- |\n| cause | `count > 10` misses exactly ten |\n| mend | `count >= 10` in `src/cart.js:5` |\n| checked | `node --test`, every test |\n\nYou keep the last word, also afterwards: **every turn is a snapshot**.\n\n- `/diff` shows what this turn changed\n- `/rollback` brings the files back to how they were (outside: `zqagent rollback --turn 0`)",
  deniedCommand:
    "Understood: the command was not run, and I won't look for another way around your answer.\n\nNothing has been changed. Ask again with the same words to start over, and press `y` when the question comes.",
  deniedEdit:
    "Understood: the file stays as it is.\n\nThe cause, in case you want to mend it yourself: `src/cart.js:5` compares with `>` where its comment promises a discount from the tenth piece on, so it must be `>=`.",
  failed:
    "That did not go as expected. The demo's model only knows its one story; the message above says what happened.",
  other:
    "I'm only the demo's scripted model: I know one story and have told it. Try `/diff`, `/rollback`, `/help`, or Shift-Tab for the modes.\n\nFor a real model set a key and a model, then start zqagent in a folder of your own:\n\n```sh\nexport OPENAI_API_KEY=…\nexport OPENAI_MODEL=…        # as your endpoint calls it\nexport OPENAI_BASE_URL=…     # any OpenAI-compatible endpoint; optional\nzqagent\n```",
  transcriptHead:
    "zqagent demo: a scripted model works on a sample project; no key, no network.\nWithout a terminal nobody can be asked, so everything is allowed here. On a terminal you decide by keypress.\n",
  transcriptTail: "\nNow for real: export OPENAI_API_KEY=… OPENAI_MODEL=… and start zqagent in your own project.",
  sessionName: "Mend the discount",
  goodbye:
    "The sample project was temporary and is gone. Now for real:\n  export OPENAI_API_KEY=…   export OPENAI_MODEL=…   (OPENAI_BASE_URL for other endpoints)\n  zqagent",
};
