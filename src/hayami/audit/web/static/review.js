// Keys for everything, a filter over headings, and the place that was meant in view. The page works without this file.
"use strict";

document.documentElement.classList.add("js");

const byId = (id) => document.getElementById(id);
const form = byId("judgement");
const help = byId("help");
const words = document.querySelector(".words");
const isTyping = (element) => element.matches("textarea, input:not([type=radio], [type=checkbox]), select");
// Enter and space belong to whatever has the focus and does something with them itself.
const isActive = (element) => element.matches("a, button, summary, input");

function record() {
  if (form && !byId("record").disabled) form.requestSubmit(byId("record"));
}

function write(id) {
  if (!words) return;
  words.open = true;
  byId(id).focus();
}

function choose(key) {
  const radio = form?.querySelector(`input[data-key="${key}"]:enabled`);
  if (!radio) return;
  radio.checked = true;
  radio.focus({ preventScroll: true });
}

function boxes() {
  return [...document.querySelectorAll(".shelf li:not([hidden]) input, .tick input")];
}

function step(by) {
  const all = boxes();
  if (!all.length) return;
  const here = all.indexOf(document.activeElement.closest?.("li")?.querySelector("input[type=checkbox]") ?? document.activeElement);
  const next = here < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(here + by, 0), all.length - 1);
  all[next].focus();
  all[next].closest("li, article").scrollIntoView({ block: "nearest" });
}

function unfold() {
  const line = document.activeElement.closest(".shelf li");
  const text = line?.querySelector("details");
  if (text) text.open = !text.open;
  else line?.querySelector(".far")?.click();
}

const actions = {
  Enter: record,
  n: () => write("note"),
  r: () => write("rewrite"),
  u: () => byId("undo")?.click(),
  ArrowRight: () => byId("next")?.click(),
  ArrowLeft: () => byId("previous")?.click(),
  j: () => step(1),
  k: () => step(-1),
  o: unfold,
  "/": () => byId("filter")?.focus(),
  l: () => byId("overview")?.click(),
  "?": () => help.showModal(),
};

document.addEventListener("keydown", (event) => {
  // 229: a key that an input method has taken; Safari says so only in this way.
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented || help.open) return;
  const target = event.target;
  if (isTyping(target)) {
    if (event.key === "Escape") target.blur();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) record();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" && isActive(target) && !target.matches("[type=radio], [type=checkbox]")) return;
  if (event.repeat && event.key !== "j" && event.key !== "k") return;
  const key = event.key.length === 1 ? event.key.normalize("NFKC").toLowerCase() : event.key;
  const action = /^[1-9]$/.test(key) ? () => choose(key) : actions[key];
  if (!action) return;
  event.preventDefault();
  action();
});

byId("keys")?.addEventListener("click", () => help.showModal());

const message = byId("message");

function say(text) {
  message.className = "alarm";
  message.setAttribute("role", "alert");
  message.textContent = text;
  message.scrollIntoView({ block: "nearest" });
}

// What is typed is kept by the program before it is recorded: a restart, or a closed window, loses no word.
let keeping = null;
function draft() {
  clearTimeout(keeping);
  keeping = null;
  if (sent) return;
  navigator.sendBeacon(form.dataset.draft, new URLSearchParams(new FormData(form)));
}
form?.addEventListener("input", () => {
  clearTimeout(keeping);
  keeping = setTimeout(draft, 400);
});
window.addEventListener("pagehide", () => { if (keeping) draft(); });

// Asks first whether the program still runs: a form sent to nobody would take the judge's words with it.
let sent = false;
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (sent) return; // the server takes a form once too; this spares the second request
  sent = true;
  try {
    await fetch(document.querySelector("link[rel=icon]").href);
    form.submit();
  } catch {
    sent = false;
    say(message.dataset.lost);
  }
});
window.addEventListener("pageshow", () => { sent = false; });

const filter = byId("filter");
filter?.addEventListener("input", () => {
  const wanted = filter.value.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);
  for (const line of document.querySelectorAll("#list li")) {
    const heading = line.querySelector("label").textContent.normalize("NFKC").toLowerCase();
    line.hidden = !wanted.every((word) => heading.includes(word)) && !line.querySelector("input").checked;
  }
});

byId("search")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const address = new URL(event.target.action);
  address.search = new URLSearchParams(new FormData(event.target));
  const found = byId("found");
  const chosen = new Set([...found.querySelectorAll("input:checked")].map((box) => box.value));
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return say(message.dataset.lost);
  const kept = [...found.querySelectorAll("li")].filter((line) => chosen.has(line.querySelector("input").value));
  found.innerHTML = await answer.text(); // rendered and escaped by our own server; the policy runs no script in it
  for (const line of kept) {
    const again = [...found.querySelectorAll("input")].find((box) => box.value === line.querySelector("input").value);
    if (again) again.checked = true;
    else found.append(Object.assign(document.createElement("ul"), { className: "shelf" }));
    if (!again) found.lastElementChild.append(line);
  }
  found.querySelector("input")?.focus();
});

// A message that is there from the start is not announced by every screen reader: say it once more.
if (message?.textContent) {
  const text = message.textContent;
  message.textContent = "";
  requestAnimationFrame(() => { message.textContent = text; });
}
document.querySelector(".meant")?.scrollIntoView({ block: "center", behavior: "instant" });
