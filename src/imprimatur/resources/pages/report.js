"use strict";
(function () {
  var root = document.documentElement;

  function key(row, column) {
    var cell = row.cells[column];
    var value = cell.getAttribute("data-v");
    return value === null ? cell.textContent.trim() : Number(value);
  }

  function compare(one, two) {
    if (typeof one === "number" && typeof two === "number") return one - two;
    if (typeof one === "number") return -1;
    if (typeof two === "number") return 1;
    return one.localeCompare(two, "en", { numeric: true });
  }

  function sort(table, column, falling) {
    var body = table.tBodies[0];
    var rows = Array.prototype.slice.call(body.rows).map(function (row, place) {
      return { row: row, key: key(row, column), place: place };
    });
    rows.sort(function (one, two) {
      return (falling ? -1 : 1) * compare(one.key, two.key) || one.place - two.place;
    });
    rows.forEach(function (each) { body.appendChild(each.row); });
  }

  document.querySelectorAll("table.sortable").forEach(function (table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column, heads) {
      head.firstElementChild.addEventListener("click", function () {
        var falling = head.getAttribute("aria-sort") === "ascending";
        Array.prototype.forEach.call(heads, function (each) { each.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        sort(table, column, falling);
      });
    });
  });

  document.querySelectorAll("button.opening").forEach(function (button) {
    button.addEventListener("click", function () {
      var all = button.closest("section").querySelectorAll("details.case");
      var open = Array.prototype.some.call(all, function (each) { return !each.open; });
      all.forEach(function (each) { each.open = open; });
      button.closest("section").querySelectorAll("details.rest").forEach(function (each) { each.open = open; });
      button.textContent = open ? "Close all" : "Open all";
    });
  });

  var theme = document.getElementById("theme");
  theme.hidden = false;
  theme.addEventListener("click", function () {
    var dark = root.getAttribute("data-theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    root.setAttribute("data-theme", dark === "dark" ? "light" : "dark");
  });

  // On paper nothing can be opened: cases and sources are printed open, and closed again afterwards.
  var opened = [];
  addEventListener("beforeprint", function () {
    document.querySelectorAll("details:not(.behind):not([open])").forEach(function (each) {
      each.open = true;
      opened.push(each);
    });
  });
  addEventListener("afterprint", function () {
    opened.forEach(function (each) { each.open = false; });
    opened = [];
  });
})();
