// On narrow pages the cells of wide tables stand below each other: each says what it is.
(function () {
  "use strict";
  function label() {
    for (const table of document.querySelectorAll("table.wide-table")) {
      const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent.trim());
      for (const row of table.querySelectorAll("tbody tr")) {
        [...row.children].forEach((cell, k) => { if (heads[k]) cell.dataset.label = heads[k]; });
      }
    }
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", label);
  else label();
})();
