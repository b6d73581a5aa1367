"use strict";
// Only interaction: all that is shown is in the document already, and reads without this script.
(() => {
  const root = document.documentElement;
  const live = document.getElementById("live");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const notes = all(".note");
  let chosen = 0;

  root.classList.add("scripted");

  const note = (number) => document.getElementById(`claim-${number}`);

  function mark(number, on, name = "on") {
    all(`[data-claim="${number}"]`).forEach((part) => {
      if (!part.hasAttribute("aria-expanded")) part.classList.toggle(name, on);
      else if (name === "on") part.setAttribute("aria-expanded", String(on));
    });
    note(number)?.classList.toggle(name === "on" ? "open" : name, on);
  }

  // Shows the exhibits that a note cites inside the note, each scrolled to the place that is meant.
  function showInPlace(number) {
    const slot = note(number).querySelector(".in-place");
    if (!slot) return;
    const cited = new Map();
    all(".citations > li[data-exhibit]", note(number)).forEach((item) => {
      const marks = cited.get(item.dataset.exhibit) ?? new Set();
      if (item.dataset.mark !== "") marks.add(item.dataset.mark);
      cited.set(item.dataset.exhibit, marks);
    });
    for (const [letter, marks] of cited) {
      const exhibit = document.getElementById(`exhibit-${letter}`);
      if (exhibit && marks.size) slot.append(frame(exhibit, letter, marks));
    }
    slot.hidden = !slot.childElementCount;
    all(".frame .text", slot).forEach((text) => {
      const first = text.querySelector("mark.on:not(.whole)");
      if (first) text.scrollTop += above(first, text) - text.clientHeight / 3;
    });
  }

  const above = (part, box) => part.getBoundingClientRect().top - box.getBoundingClientRect().top;

  // Of a long exhibit, the stretches around the cited places; a mark stands for what lies between.
  function excerpt(source, marks) {
    const cited = all("mark", source).filter((part) => part.dataset.marks.split(" ").some((one) => marks.has(one)));
    const stretch = (part) => { while (part.parentElement !== source) part = part.parentElement; return part; };
    const near = new Set(cited.map(stretch));
    const text = source.cloneNode(false);
    const whole = source.childElementCount <= 3;
    for (const part of source.children) {
      if (whole || near.has(part)) text.append(part.cloneNode(true));
      else if (!text.lastElementChild?.matches(".elsewhere")) {
        const gap = document.createElement("p");
        gap.className = "elsewhere";
        gap.textContent = "⋮";
        text.append(gap);
      }
    }
    all("[id]", text).forEach((part) => part.removeAttribute("id"));
    all("mark", text).forEach((part) => {
      const on = part.dataset.marks.split(" ").some((one) => marks.has(one));
      part.classList.toggle("on", on);
      for (let fold = part.closest("details"); on && fold; fold = fold.parentElement.closest("details")) fold.open = true;
    });
    return text;
  }

  function frame(exhibit, letter, marks) {
    const text = excerpt(exhibit.querySelector(".text"), marks);
    text.tabIndex = 0;
    text.setAttribute("role", "region");
    text.setAttribute("aria-label", `Exhibit ${letter}, the cited place marked`);
    const title = document.createElement("div");
    title.className = "frame-title";
    const name = document.createElement("span");
    name.textContent = exhibit.querySelector("h3").textContent;
    const link = document.createElement("a");
    link.href = `#exhibit-${letter}`;
    link.textContent = "whole";
    title.append(name, link);
    const box = document.createElement("div");
    box.className = "frame";
    box.append(title, text);
    return box;
  }

  function close() {
    if (!chosen) return;
    mark(chosen, false);
    note(chosen).querySelector(".in-place")?.replaceChildren();
    chosen = 0;
  }

  function choose(number, { focus = false, toggle = false } = {}) {
    if (!note(number)) return;
    const same = chosen === number;
    close();
    if (same && toggle) {
      live.textContent = "Closed.";
      return;
    }
    chosen = number;
    mark(number, true);
    showInPlace(number);
    const wide = matchMedia("(min-width: 66rem)").matches;
    const margin = note(number).closest(".margin");
    if (wide) {
      margin.scrollTop += above(note(number), margin) - 40;
      note(number).querySelector(".in-place mark.on:not(.whole)")?.scrollIntoView({ block: "nearest" });
    }
    const ref = document.getElementById(`ref-${number}`);
    if (focus) ref.focus({ preventScroll: wide });
    if (focus && wide) ref.scrollIntoView({ block: "nearest" });
    const why = note(number).querySelector(".why")?.textContent ?? "";
    live.textContent = `${ref.getAttribute("aria-label")}, of ${notes.length}. ${why}`;
    try { history.replaceState(null, "", `#claim-${number}`); } catch { /* a page without an address */ }
  }

  function step(by) {
    if (!notes.length) return;
    const next = chosen ? chosen + by : by > 0 ? 1 : notes.length;
    choose(Math.min(Math.max(next, 1), notes.length), { focus: true });
  }

  document.addEventListener("click", (event) => {
    const part = event.target.closest("[data-claim]");
    if (!part || getSelection()?.toString()) return;
    const number = Number(part.dataset.claim);
    const link = part.matches("a:not(.ref)");
    if (part.matches("a")) event.preventDefault();
    choose(number, { toggle: !link, focus: link });
    const narrow = !matchMedia("(min-width: 66rem)").matches;
    if (chosen && (link || (narrow && !part.closest(".note")))) {
      (narrow ? note(number) : document.getElementById(`ref-${number}`))?.scrollIntoView({ block: "nearest" });
      if (narrow) note(number).scrollIntoView({ block: "start" });
    }
  });

  for (const [kind, on] of [["mouseover", true], ["mouseout", false]]) {
    document.addEventListener(kind, (event) => {
      const part = event.target.closest?.("[data-claim]");
      if (part) mark(Number(part.dataset.claim), on, "near");
    });
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, .text")) return;
    const by = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[event.key];
    if (by) {
      event.preventDefault();
      step(by);
    } else if (event.key === " " && event.target.matches(".ref")) {
      event.preventDefault();
      event.target.click();
    } else if (event.key === "Escape" && chosen) {
      const ref = document.getElementById(`ref-${chosen}`);
      close();
      ref?.focus();
    }
  });

  // A link into an exhibit opens the fold that it leads into.
  function unfold() {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    const number = /^claim-(\d+)$/.exec(target.id)?.[1];
    if (number) choose(Number(number));
    else target.scrollIntoView({ block: "center" });
  }
  addEventListener("hashchange", unfold);
  unfold();

  // Paper has no folds but those of the exhibits' far parts, which say how much they hold.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not(.fold):not([open])");
    opened.forEach((part) => { part.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((part) => { part.open = false; }));

  const themes = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };
  const button = document.getElementById("theme");
  const stored = (value) => {
    try {
      if (value) localStorage.setItem("affidavit-theme", value);
      return localStorage.getItem("affidavit-theme");
    } catch { return value; }
  };
  function theme(name) {
    if (name === "auto") delete root.dataset.theme;
    else root.dataset.theme = name;
    if (button) button.textContent = themes[name];
  }
  let current = stored() in themes ? stored() : "auto";
  theme(current);
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const names = Object.keys(themes);
      current = names[(names.indexOf(current) + 1) % names.length];
      stored(current);
      theme(current);
    });
  }
})();
