(function () {
  "use strict";
  var d = document, q = d.getElementById("q"), form = d.getElementById("find"), shown = d.getElementById("shown");
  var help = d.getElementById("help"), off = d.getElementById("keys-off");
  var boxes = Array.from(form.querySelectorAll("[name=show]"));
  var checks = Array.from(d.querySelectorAll("details.check")), rows = Array.from(d.querySelectorAll("tr[data-row]"));
  var groups = Array.from(d.querySelectorAll("details.group"));
  var texts = new Map();
  checks.concat(rows).forEach(function (e) { texts.set(e, e.textContent.toLowerCase()); });
  form.hidden = false;

  // The state of the filter stands in the hash behind "?", so that a link and a reload keep it. Any other hash is an anchor.
  function read() {
    var h = location.hash;
    if (h.slice(0, 2) !== "#?") { return false; }
    var p = new URLSearchParams(h.slice(2)), show = (p.get("show") || "").split(",");
    q.value = p.get("q") || "";
    boxes.forEach(function (b) { b.checked = show.indexOf(b.value) >= 0; });
    return true;
  }
  function write() {
    var p = new URLSearchParams(), show = boxes.filter(function (b) { return b.checked; }).map(function (b) { return b.value; });
    if (q.value) { p.set("q", q.value); }
    if (show.length) { p.set("show", show.join(",")); }
    var s = p.toString();
    history.replaceState(null, "", s ? "#?" + s : "#checks");
    apply();
  }
  function apply() {
    var words = q.value.toLowerCase().split(/\s+/).filter(Boolean), n = 0;
    var show = boxes.filter(function (b) { return b.checked; }).map(function (b) { return b.value; });
    function found(e) { return words.every(function (w) { return texts.get(e).indexOf(w) >= 0; }); }
    checks.forEach(function (c) {
      var ok = (!show.length || show.indexOf(c.dataset.v) >= 0) && found(c);
      c.hidden = !ok;
      if (ok) { n++; }
    });
    var m = 0;
    rows.forEach(function (r) { r.hidden = !found(r); if (!r.hidden) { m++; } });
    // A group is unfolded while a filter finds something in it.
    var some = words.length + show.length > 0;
    groups.forEach(function (g) {
      g.hidden = !g.querySelector("details.check:not([hidden]),tr[data-row]:not([hidden])");
      g.open = some && !g.hidden;
    });
    shown.textContent = n + " of " + checks.length + " checks shown" + (words.length ? ", " + m + " of " + rows.length + " requirements" : "");
  }
  function unfold(e) { for (; e; e = e.parentElement) { if (e.tagName === "DETAILS") { e.open = true; } } }
  // An anchor that the filter hides, or that is folded away, is brought to light.
  function reveal() {
    var id = "";
    try { id = decodeURIComponent(location.hash.slice(1)); } catch (e) { return; }
    var t = id && d.getElementById(id);
    if (!t) { return; }
    if (t.hidden) { q.value = ""; boxes.forEach(function (b) { b.checked = false; }); apply(); }
    unfold(t);
    t.scrollIntoView();
    if (t.classList.contains("check")) { t.querySelector("summary").focus({ preventScroll: true }); }
  }
  function changed() { if (read()) { apply(); } else { reveal(); } }

  var now = -1;
  function go(step, failed) {
    var list = checks.filter(function (c) { return !c.hidden; });
    if (!list.length) { return; }
    var at = list.indexOf(checks[now]);
    for (var i = 0; i < list.length; i++) {
      at = at < 0 && step < 0 ? list.length - 1 : (at + step + list.length) % list.length;
      if (!failed || list[at].dataset.v === "failed") {
        checks.forEach(function (c) { c.classList.remove("now"); });
        now = checks.indexOf(list[at]);
        list[at].classList.add("now");
        unfold(failed ? list[at] : list[at].parentElement);
        list[at].scrollIntoView({ block: "start" });
        list[at].querySelector("summary").focus({ preventScroll: true });
        return;
      }
    }
    shown.textContent = "No check failed.";
  }
  // A sandboxed frame has no storage; then the switch lasts as long as the page.
  function stored(v) { try { if (v === undefined) { return localStorage.getItem("petconform-keys"); } localStorage.setItem("petconform-keys", v); } catch (e) { return null; } }
  off.checked = stored() === "off";
  off.addEventListener("change", function () { stored(off.checked ? "off" : "on"); });
  d.getElementById("keys").addEventListener("click", function () { help.showModal(); });

  d.addEventListener("keydown", function (e) {
    var t = e.target;
    if (e.ctrlKey || e.metaKey || e.altKey || help.open || off.checked || /^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName) && t.type !== "checkbox") { return; }
    switch (e.key) {
      case "/": e.preventDefault(); q.focus(); q.scrollIntoView({ block: "center" }); break;
      case "j": go(1); break;
      case "k": go(-1); break;
      case "n": go(1, true); break;
      case "?": help.showModal(); break;
    }
  });
  // The line stays selected, so that it can be copied by hand where the browser does not let a page copy.
  d.querySelectorAll(".again").forEach(function (line) {
    var b = d.createElement("button");
    b.type = "button";
    b.textContent = "Copy";
    b.addEventListener("click", function () {
      getSelection().selectAllChildren(line);
      b.textContent = d.execCommand("copy") ? "Copied" : "Selected";
    });
    line.after(" ", b);
  });
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  q.addEventListener("input", write);
  boxes.forEach(function (b) { b.addEventListener("change", write); });
  window.addEventListener("hashchange", changed);
  // On paper nothing unfolds: what was left on the target is to be filed with the rest.
  window.addEventListener("beforeprint", function () { d.querySelectorAll("[data-print]").forEach(function (e) { e.open = true; }); });
  read();
  apply();
  reveal();
})();
