// Draws line charts as standalone SVG.
export type Series = { readonly name: string; readonly values: readonly number[] };
export type Plot = {
  readonly title: string;
  /** One label per value, or one for all of them. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
};

const WIDTH = 640;
const HEIGHT = 200;
const PAD = 36;
const COLORS = ["#2a6fdb", "#c2571a", "#3a8f4d", "#8a4fbf"];

export function renderPlot({ title, labels, series }: Plot): string {
  const top = Math.max(1, ...series.flatMap(({ values }) => values)) * 1.1;
  const x = (n: number, of: number): number => PAD + (n / Math.max(1, of - 1)) * (WIDTH - 2 * PAD);
  const y = (value: number): number => HEIGHT - PAD - (value / top) * (HEIGHT - 2 * PAD);
  const lines = series.map(({ values }, n) => {
    const points = values.map((value, i) => `${x(i, values.length).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    return `<polyline points="${points}" fill="none" stroke="${COLORS[n % COLORS.length]}" stroke-width="2"/>`;
  });
  const names = series.map(({ name }, n) => label(WIDTH - PAD, 18 + n * 14, name, "end", COLORS[n % COLORS.length]));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">`,
    `<line x1="${PAD}" y1="${y(0)}" x2="${WIDTH - PAD}" y2="${y(0)}" stroke="#99a"/>`,
    ...lines,
    label(PAD - 6, y(top / 1.1) + 4, String(Math.round(top / 1.1)), "end"),
    label(PAD - 6, y(0) + 4, "0", "end"),
    ...labels.map((text, n) => label(labels.length === 1 ? WIDTH / 2 : x(n, labels.length), HEIGHT - 10, text)),
    label(PAD, 18, title, "start"),
    ...(series.length > 1 ? names : []),
    "</svg>",
    "",
  ].join("\n");
}

const label = (x: number, y: number, text: string, anchor = "middle", fill = "#667"): string =>
  `<text x="${x.toFixed(0)}" y="${y.toFixed(0)}" font-size="11" font-family="system-ui, sans-serif" fill="${fill}" text-anchor="${anchor}">${text}</text>`;
