import type { DefinitionStep, StepCount } from "./types";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Node extends Box {
  step: DefinitionStep;
}

/** The name of a way out of a step, where its own steps begin. */
export interface Way {
  step: string;
  way: string;
  x: number;
  y: number;
  /** Whether it has no steps. */
  empty: boolean;
}

export interface Layout {
  width: number;
  height: number;
  nodes: Node[];
  ways: Way[];
  /** Around the steps that run in parallel, and around a step with its ways. */
  groups: Box[];
  /** Paths from each rank to the next, as SVG has them. */
  edges: string[];
}

/** A step with the steps that are part of it, by rank. */
export interface Tree {
  step: DefinitionStep;
  ways: { name: string; ranks: Tree[][] }[];
}

const NODE_WIDTH = 184;
/** Of the only column there is. */
const WIDEST_NODE = 400;
const GAP = 24;
const WIDEST_GAP = 48;
const LINE_GAP = 36;
const INNER_GAP = 10;
const PADDING = 10;
const INDENT = 28;
const WAY_HEIGHT = 24;
/** Behind the name of a way without steps. */
export const NOTHING = ": nothing to do";

/** The steps by rank, each with its ways: what runs in parallel shares one. */
export function treeOf(steps: DefinitionStep[], partOf: string | null = null, way: string | null = null): Tree[][] {
  const ranks: Tree[][] = [];
  for (const step of steps) {
    if ((step.partOf ?? null) !== partOf || (step.way ?? null) !== way) continue;
    const tree = { step, ways: (step.ways ?? []).map((name) => ({ name, ranks: treeOf(steps, step.name, name) })) };
    const last = ranks.at(-1);
    if (last && step.parallelGroup != null && last[0].step.parallelGroup === step.parallelGroup) last.push(tree);
    else ranks.push([tree]);
  }
  return ranks;
}

/** What is drawn as one: its size, and how. */
interface Block {
  width: number;
  height: number;
  /** What arrows leave and reach, once it is drawn. */
  draw(x: number, y: number, drawing: Layout): Box;
}

/**
 * Where each step goes on a drawing of this width: from left to right, on as many lines as it takes, parallel ones below
 * each other; from top to bottom where only one column fits. The ways of a step are beside it, or indented below it.
 */
export function layout(steps: DefinitionStep[], width: number, nodeHeight: number): Layout {
  const drawing: Layout = { width, height: 0, nodes: [], ways: [], groups: [], edges: [] };
  const all = flow(treeOf(steps), width, nodeHeight);
  all.draw(0, PADDING, drawing);
  drawing.width = Math.max(width, all.width);
  drawing.height = all.height + 2 * PADDING;
  return drawing;
}

/** Ranks from left to right, on lines. */
function flow(ranks: Tree[][], width: number, nodeHeight: number): Block {
  const columns = Math.max(1, Math.floor((width + GAP) / (NODE_WIDTH + 2 * PADDING + GAP)));
  const nodeWidth = columns > 1 ? NODE_WIDTH : Math.max(NODE_WIDTH, Math.min(WIDEST_NODE, width - 2 * PADDING));
  const cell = nodeWidth + 2 * PADDING;
  const gap = columns > 1 ? Math.min(WIDEST_GAP, (width - columns * cell) / (columns - 1)) : 0;
  const across = (line: Block[]) => line.reduce((sum, block) => sum + block.width + gap, -gap);
  const lines: Block[][] = [];
  for (const rank of ranks) {
    const block = rank.some((tree) => tree.ways.length > 0) ? withWays(rank, width, nodeWidth, nodeHeight) : together(rank, nodeWidth, nodeHeight);
    const last = lines.at(-1);
    if (last && columns > 1 && across([...last, block]) <= width) last.push(block);
    else lines.push([block]);
  }
  const heights = lines.map((line) => Math.max(...line.map((block) => block.height)));
  return {
    width: Math.max(0, ...lines.map(across)),
    height: Math.max(0, heights.reduce((sum, height) => sum + height + LINE_GAP, -LINE_GAP)),
    draw(x, y, drawing) {
      let top = y;
      let before: Box | null = null;
      lines.forEach((line, i) => {
        let left = x;
        line.forEach((block, n) => {
          const box: Box = block.draw(left, top + (heights[i] - block.height) / 2, drawing);
          if (before) drawing.edges.push(edge(before, box, n > 0, top - LINE_GAP / 2, cell));
          before = box;
          left += block.width + gap;
        });
        top += heights[i] + LINE_GAP;
      });
      return { x, y, width: this.width, height: this.height };
    },
  };
}

/** A step, or those that are taken together below each other. */
function together(rank: Tree[], width: number, height: number): Block {
  return {
    width: width + 2 * PADDING,
    height: rank.length * (height + INNER_GAP) - INNER_GAP + 2 * PADDING,
    draw(x, y, drawing) {
      const box = { x, y, width: this.width, height: this.height };
      if (rank.length > 1) drawing.groups.push(box);
      rank.forEach(({ step }, n) => drawing.nodes.push({ step, x: x + PADDING, y: y + PADDING + n * (height + INNER_GAP), width, height }));
      return rank.length > 1 ? box : { x: x + PADDING, y: y + PADDING, width, height };
    },
  };
}

function withWays(rank: Tree[], most: number, width: number, height: number): Block {
  const beside = most - (width + INDENT + 2 * PADDING) >= NODE_WIDTH + PADDING;
  const indent = PADDING + INDENT + (beside ? width : 0);
  const inner = most - indent;
  const rows = rank.map(({ step, ways }) => {
    const flows = ways.map(({ name, ranks }) => ({ name, block: ranks.length === 0 ? null : flow(ranks, inner, height) }));
    const below = flows.reduce((sum, { block }) => sum + WAY_HEIGHT + (block ? block.height : 0), 0);
    return { step, flows, height: beside ? Math.max(height, below) : height + INNER_GAP + below };
  });
  const widest = Math.max(...rows.flatMap(({ flows }) => flows.map(({ name, block }) => block?.width ?? labelWidth(name))));
  return {
    width: Math.max(width + 2 * PADDING, indent + widest),
    height: rows.reduce((sum, row) => sum + row.height + INNER_GAP, 2 * PADDING - INNER_GAP),
    draw(x, y, drawing) {
      const box = { x, y, width: this.width, height: this.height };
      drawing.groups.push(box);
      let top = y + PADDING;
      for (const row of rows) {
        drawing.nodes.push({ step: row.step, x: x + PADDING, y: top, width, height });
        const stem = beside ? `M${x + PADDING + width} ${top + height / 2}h${INDENT / 2}` : `M${x + PADDING + INDENT / 2} ${top + height}`;
        let way = beside ? top : top + height + INNER_GAP;
        for (const { name, block } of row.flows) {
          const at = { x: x + indent, y: way + WAY_HEIGHT / 2 };
          drawing.edges.push(`${stem}V${at.y}H${at.x - 4}`);
          drawing.ways.push({ step: row.step.name, way: name, ...at, empty: block === null });
          way += WAY_HEIGHT;
          block?.draw(x + indent - PADDING, way, drawing);
          way += block?.height ?? 0;
        }
        top += row.height + INNER_GAP;
      }
      return box;
    },
  };
}

/** Of a way without steps, about. */
function labelWidth(way: string): number {
  return (way.length + ", taken".length + NOTHING.length) * 7;
}

function edge(from: Box, to: Box, sameLine: boolean, between: number, cell: number): string {
  const middle = (b: Box) => b.x + Math.min(b.width, cell) / 2;
  if (sameLine) return `M${from.x + from.width} ${from.y + from.height / 2}H${to.x - 2}`;
  const down = `M${middle(from)} ${from.y + from.height}V`;
  return middle(from) === middle(to) ? `${down}${to.y - 2}` : `${down}${between}H${middle(to)}V${to.y - 2}`;
}

/** How many sagas wait at a step in one direction, and the oldest's age, over all versions given or one of them. */
export function countAt(counts: StepCount[], step: string, direction: StepCount["direction"]): { count: number; ageMs: number | null } {
  let count = 0;
  let ageMs: number | null = null;
  for (const c of counts) {
    if (c.step !== step || c.direction !== direction) continue;
    count += c.count;
    if (c.oldestAgeMs != null) ageMs = Math.max(ageMs ?? 0, c.oldestAgeMs);
  }
  return { count, ageMs };
}
