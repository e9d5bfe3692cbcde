"use strict";
(() => {
  const many = (selector) => [...document.querySelectorAll(selector)];

  // ---- one model: its line and band beside the faded others -----------------------------------

  let pressed = null; // the model whose button is down
  function show(model) {
    many("[data-model]").forEach((one) => {
      one.classList.toggle("lit", one.dataset.model === model);
      one.classList.toggle("faded", model !== null && one.dataset.model !== model);
    });
  }
  many("[data-model]").forEach((one) => {
    one.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse") show(one.dataset.model);
    });
    one.addEventListener("pointerleave", () => show(pressed));
  });
  const buttons = many(".keys button");
  buttons.forEach((button) => button.addEventListener("click", () => {
    pressed = pressed === button.dataset.model ? null : button.dataset.model;
    buttons.forEach((one) => one.setAttribute("aria-pressed", one.dataset.model === pressed));
    show(pressed);
  }));

  // ---- tables ---------------------------------------------------------------------------------

  const before = new Intl.Collator("en", { numeric: true }).compare;
  function sort(head) {
    const table = head.closest("table"), body = table.tBodies[0], column = head.cellIndex;
    const other = { ascending: "descending", descending: "ascending" };
    const order = other[head.getAttribute("aria-sort")] ?? (column === 0 ? "ascending" : "descending");
    table.querySelectorAll("thead th[aria-sort]").forEach((th) => th.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const text = (row) => row.cells[column].textContent.trim();
    // The first number of a cell, as in "0.81 ± 0.02", "above 2" and "∞".
    const key = (row) => Number(text(row).replace("∞", "Infinity").match(/-?(\d[\d.e+-]*|Infinity)/)?.[0]);
    const rows = [...body.rows].sort((a, b) => {
      if (column === 0) return sign * before(text(a), text(b));
      if (isNaN(key(a)) || isNaN(key(b))) return isNaN(key(a)) - isNaN(key(b)); // missing: last
      return key(a) === key(b) ? 0 : sign * (key(a) - key(b));
    });
    body.append(...rows);
  }
  many("table.sortable thead button").forEach((button) =>
    button.addEventListener("click", () => sort(button.closest("th"))));

  // ---- paper has all that is folded, and an address of a section opens it ----------------------

  const folded = many("details:not([open])");
  const open = (now) => folded.forEach((one) => { one.open = now; });
  addEventListener("beforeprint", () => open(true));
  addEventListener("afterprint", () => open(false));
})();
