"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const many = (selector) => [...document.querySelectorAll(selector)];
  const phone = matchMedia("(max-width: 40rem)");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let printing = false, pointed = null; // the model that the reader points at in the list

  // ---- pictures ------------------------------------------------------------------------------

  // Names are text: in the library's labels < would begin a tag.
  const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const short = (text) => {
    const most = phone.matches ? 16 : 26;
    return text.length > most ? "…" + text.slice(1 - most) : text;
  };
  const names = data.names.map(plain);
  const shown = () => many("input[name=model]").map((box) => box.checked);
  const bands = document.querySelector("input[name=band]");
  const night = () => dark.matches && !printing;
  const color = (i) => {
    const color = data.colors[i % data.colors.length];
    return color === "#000000" && night() ? "#ffffff" : color;
  };
  const dash = (i) => data.dashes[Math.floor(i / data.colors.length) % data.dashes.length];
  // The library's own buttons have no names: those below the pictures do the same.
  const config = { responsive: true, displayModeBar: false, scrollZoom: false };

  function layout(x, y, more) {
    const ink = night() ? "#ececec" : "#1a1a1a", line = night() ? "#3c4046" : "#d9d9d9";
    const axis = ({ title, ticks, ...more }) => ({
      title: { text: title, standoff: 8 }, ...more, color: ink, gridcolor: line, zeroline: false,
      linecolor: line, mirror: true, ticks: "outside", tickcolor: line,
      ...(ticks && { tickvals: ticks.at, ticktext: ticks.text }),
    });
    return {
      font: { family: "system-ui, sans-serif", size: phone.matches ? 12 : 14, color: ink },
      paper_bgcolor: printing ? "#ffffff" : "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", showlegend: false,
      margin: { l: phone.matches ? 56 : 70, r: 14, t: 14, b: 56 }, hovermode: "closest",
      dragmode: phone.matches ? false : "zoom",
      hoverlabel: { align: "left", bgcolor: night() ? "#22262b" : "#ffffff", font: { color: ink } },
      xaxis: axis(x), yaxis: axis(y), ...more,
    };
  }

  // Of all models that are shown, or of the one that is pointed at.  Without names: no hover.
  const banded = (i) => bands !== null && (bands.checked || i === pointed);
  const tint = (hex) => `rgba(${[1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)).join()},0.16)`;
  const still = { type: "scatter", mode: "lines", hoverinfo: "skip", cliponaxis: true };
  function bandTraces(on) {
    return data.bands.flatMap((band, i) => band === null || !banded(i) ? [] : [
      { ...still, x: band.x, y: band.y, visible: on[i], fill: "toself", fillcolor: tint(color(i)),
        line: { width: 0 } },
      { ...still, x: band.upper.x, y: band.upper.y, visible: on[i],
        line: { color: color(i), width: 1.5, dash: band.certified ? "dot" : "1px,5px" } },
    ]);
  }

  // A line of one place, such as that of disjoint sets, is a dot.
  const isPoint = (line) => [line.x, line.y].every((at) => at.every((one) => one === at[0]));

  function linesFigure() {
    const on = shown(), range = [-0.012, 1.012];
    const traces = data.curves.map((line, i) => ({
      type: "scatter", mode: isPoint(line) ? "markers" : "lines", x: line.x, y: line.y,
      name: names[i], visible: on[i], cliponaxis: true, marker: { size: 10, color: color(i) },
      opacity: pointed === null || pointed === i ? 1 : 0.2,
      line: { color: color(i), width: 2.5, dash: dash(i) }, customdata: line.at,
      hovertemplate: `<b>${names[i]}</b><br>λ %{customdata[0]}<br>precision %{customdata[1]}`
        + "<br>recall %{customdata[2]}<extra></extra>",
    }));
    return { data: [...traces, ...bandTraces(on)],
      layout: layout({ title: "recall", range }, { title: "precision", range }, { hoverdistance: 40 }) };
  }

  // Where names stand beside their points: on the side with room, or nowhere.
  function places(x, y, xs, ys, on) {
    const size = document.getElementById("scores").clientWidth - 84, font = phone.matches ? 12 : 14;
    const px = (value, ends) => (value - ends[0]) / (ends[1] - ends[0]) * size;
    const points = x.map((_, i) => [px(x[i], xs), size - px(y[i], ys)]);
    const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const taken = points.flatMap(([h, v], i) => on[i] ? [box(h - 6, v - 6, 12, 12)] : []);
    return points.map(([h, v], i) => {
      if (!on[i]) return null;
      const width = 0.62 * font * short(data.names[i]).length, height = 1.2 * font;
      for (const side of h > size / 2 ? ["left", "right", "center"] : ["right", "left", "center"]) {
        for (const level of side === "center" ? ["top", "bottom"] : ["top", "bottom", "middle"]) {
          const left = { left: h - 7 - width, right: h + 7, center: h - width / 2 }[side];
          const top = { top: v - 7 - height, bottom: v + 7, middle: v - height / 2 }[level];
          const label = box(left, top, width, height);
          const inside = left >= -20 && label.right <= size + 10 && top >= -10 && label.bottom <= size;
          if (inside && !taken.some((other) => meet(label, other))) {
            taken.push(label);
            return `${level} ${side}`;
          }
        }
      }
      return null;
    });
  }

  function scoresFigure() {
    const on = shown(), all = data.scores.flat();
    const middle = (values) => (Math.min(...values) + Math.max(...values)) / 2;
    const x = data.scores.map((pair) => pair[0]), y = data.scores.map((pair) => pair[1]);
    // One length for both axes, so that the diagonal is one; no closer than 0.12.
    const spread = Math.max(Math.max(...x) - Math.min(...x), Math.max(...y) - Math.min(...y));
    const half = Math.min(0.53, Math.max(0.06, 0.65 * spread));
    const center = (values) => Math.min(1.03 - half, Math.max(-0.03 + half, middle(values)));
    const ends = (values) => [center(values) - half, center(values) + half];
    const [xs, ys] = [ends(x), ends(y)];
    const place = places(x, y, xs, ys, on);
    const traces = [{
      type: "scatter", mode: "lines", x: [-1, 2], y: [-1, 2], hoverinfo: "skip",
      line: { color: night() ? "#80868d" : "#a6a6a6", width: 1 },
    }, ...data.scores.map((pair, i) => ({
      type: "scatter", mode: "markers+text", x: [pair[0]], y: [pair[1]], name: names[i],
      text: [place[i] ? plain(short(data.names[i])) : ""], textposition: place[i] || "top right", visible: on[i], cliponaxis: false,
      marker: { size: 11, color: color(i), symbol: Math.floor(i / data.colors.length) },
      hovertemplate: `<b>${names[i]}</b><br>F8 %{x:.4f}<br>F1/8 %{y:.4f}<extra></extra>`,
    }))];
    return { data: traces,
      layout: layout({ title: "F8: less is missed →", range: xs }, { title: "F1/8: less is invented →", range: ys }) };
  }

  // The lines are interpolated; hover tells the numbers at the resolutions.
  function profilesFigure() {
    const on = shown(), { ticks, models } = data.profiles;
    const traces = models.flatMap((one, i) => one === null ? [] : [
      ...(models.length > 2 ? [] : [{
        ...still, x: [...one.x, ...[...one.x].reverse()], y: [...one.high, ...[...one.low].reverse()],
        visible: on[i], fill: "toself", fillcolor: tint(color(i)), line: { width: 0 },
      }]),
      { ...still, x: one.x, y: one.value, visible: on[i],
        line: { color: color(i), width: 2.5, dash: dash(i) } },
      { type: "scatter", mode: "markers", x: one.points.x, y: one.points.y, name: names[i],
        visible: on[i], cliponaxis: false, marker: { size: 8, color: color(i) },
        customdata: one.points.at,
        hovertemplate: `<b>${names[i]}</b><br>resolution %{customdata[0]}<br>area %{customdata[1]}`
          + "<br>95 %: %{customdata[2]}<extra></extra>" },
    ]);
    const end = ticks.at[ticks.at.length - 1], edge = end * 0.03;
    return { data: traces, layout: layout({ title: "resolution", range: [-edge, end + edge], ticks },
      { title: "area", range: [-0.03, 1.03] }, { hoverdistance: 40 }) };
  }

  const figures = { lines: linesFigure, scores: scoresFigure };
  if (data.profiles !== null) figures.profiles = profilesFigure;
  const drawOne = (name) => {
    const { data: traces, layout: how } = figures[name]();
    return Plotly.react(name, traces, how, config);
  };
  const drawLines = () => drawOne("lines");
  const drawScores = () => drawOne("scores");
  const others = Object.keys(figures).slice(1);
  const draw = () => Promise.all([drawLines(), ...others.map(drawOne)]);

  // ---- buttons -------------------------------------------------------------------------------

  // A picture to save is on white, whatever the page is on.
  function save(name, format) {
    const box = document.getElementById(name);
    printing = true;
    const { data: traces, layout: how } = figures[name]();
    printing = false;
    Plotly.downloadImage({ data: traces, layout: how, config }, {
      format, filename: `${document.title} ${{ lines: "curves", scores: "F8 and F1-8", profiles: "resolution" }[name]}`,
      width: box.clientWidth, height: box.clientHeight, scale: format === "png" ? 2 : 1,
    });
  }
  function tick(on) {
    many("input[name=model]").forEach((box) => { box.checked = on; });
    draw();
  }
  const acts = {
    png: (name) => save(name, "png"), svg: (name) => save(name, "svg"),
    whole: (name) => drawOne(name), all: () => tick(true), none: () => tick(false),
  };
  many("button[data-do]").forEach((button) =>
    button.addEventListener("click", () => acts[button.dataset.do](button.dataset.plot)));
  many("input[name=model]").forEach((box) => box.addEventListener("change", draw));
  if (bands) bands.addEventListener("change", drawLines);
  const point = (i) => {
    const next = i !== null && shown()[i] ? i : null;
    if (next !== pointed) { pointed = next; drawLines(); }
  };
  many("input[name=model]").forEach((box, i) => {
    const label = box.closest("label");
    label.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") point(i); });
    label.addEventListener("pointerleave", () => point(null));
    box.addEventListener("focus", () => { if (box.matches(":focus-visible")) point(i); });
    box.addEventListener("blur", () => point(null));
  });
  dark.addEventListener("change", draw);
  phone.addEventListener("change", draw);
  addEventListener("resize", () => requestAnimationFrame(drawScores)); // names have other room
  // On paper the style sheet scales the pictures; here they only change to its colors.
  const folded = many("details:not([open])");
  const print = (now) => {
    printing = now;
    folded.forEach((one) => { one.open = now; });
    draw();
  };
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
  const scalable = (plot) => plot.querySelectorAll(".main-svg").forEach((svg) =>
    svg.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`));
  draw().then((plots) => {
    plots.forEach((plot) => { scalable(plot); plot.on("plotly_afterplot", () => scalable(plot)); });
    document.documentElement.dataset.drawn = "true";
  });

  // ---- tables --------------------------------------------------------------------------------

  const before = new Intl.Collator("en", { numeric: true }).compare;
  function sort(head) {
    const table = head.closest("table"), body = table.tBodies[0], column = head.cellIndex;
    const other = { ascending: "descending", descending: "ascending" };
    const order = other[head.getAttribute("aria-sort")] ?? head.dataset.first;
    table.querySelectorAll("thead th").forEach((th) => th.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const key = (row) => row.cells[column].dataset.key;
    const rows = [...body.rows].sort((a, b) => {
      if (key(a) === "" || key(b) === "") return (key(a) === "") - (key(b) === ""); // missing: last
      return sign * (column === 0 ? before(key(a), key(b)) : Number(key(a)) - Number(key(b)));
    });
    body.append(...rows);
  }
  many("table.sortable thead th").forEach((head) =>
    head.querySelector("button").addEventListener("click", () => sort(head)));
})();
