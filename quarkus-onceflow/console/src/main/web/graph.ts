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

export interface Layout {
  width: number;
  height: number;
  nodes: Node[];
  /** Around the steps that run in parallel. */
  groups: Box[];
  /** Paths from each rank to the next, as SVG has them. */
  edges: string[];
}

const NODE_WIDTH = 184;
/** Of the only column there is. */
const WIDEST_NODE = 400;
const GAP = 24;
const WIDEST_GAP = 48;
const LINE_GAP = 36;
const INNER_GAP = 10;
const PADDING = 10;

/** The steps by rank: what runs in parallel shares one. */
export function ranksOf(steps: DefinitionStep[]): DefinitionStep[][] {
  const ranks: DefinitionStep[][] = [];
  for (const step of steps) {
    const last = ranks.at(-1);
    if (last && step.parallelGroup != null && last[0].parallelGroup === step.parallelGroup) last.push(step);
    else ranks.push([step]);
  }
  return ranks;
}

/**
 * Where each step goes on a drawing of this width: from left to right, on as many lines as it takes, parallel ones below
 * each other; from top to bottom where only one column fits.
 */
export function layout(steps: DefinitionStep[], width: number, nodeHeight: number): Layout {
  const columns = Math.max(1, Math.floor((width + GAP) / (NODE_WIDTH + 2 * PADDING + GAP)));
  const nodeWidth = columns > 1 ? NODE_WIDTH : Math.max(NODE_WIDTH, Math.min(WIDEST_NODE, width - 2 * PADDING));
  const cell = nodeWidth + 2 * PADDING;
  const gap = columns > 1 ? Math.min(WIDEST_GAP, (width - columns * cell) / (columns - 1)) : 0;
  const ranks = ranksOf(steps);
  const blocks: Box[] = [];
  const nodes: Node[] = [];
  let top = PADDING;
  for (let start = 0; start < ranks.length; start += columns) {
    const line = ranks.slice(start, start + columns);
    const heights = line.map((rank) => rank.length * (nodeHeight + INNER_GAP) - INNER_GAP + 2 * PADDING);
    const height = Math.max(...heights);
    line.forEach((rank, i) => {
      const block = { x: i * (cell + gap), y: top + (height - heights[i]) / 2, width: cell, height: heights[i] };
      blocks.push(block);
      rank.forEach((step, n) => nodes.push({
        step, x: block.x + PADDING, y: block.y + PADDING + n * (nodeHeight + INNER_GAP), width: nodeWidth, height: nodeHeight,
      }));
    });
    top += height + LINE_GAP;
  }
  return {
    width: Math.max(width, cell),
    height: top - LINE_GAP + PADDING,
    nodes,
    groups: blocks.filter((_, i) => ranks[i].length > 1),
    edges: edgesOf(blocks.map((b, i) => (ranks[i].length > 1 ? b : shrink(b))), columns),
  };
}

function shrink(b: Box): Box {
  return { x: b.x + PADDING, y: b.y + PADDING, width: b.width - 2 * PADDING, height: b.height - 2 * PADDING };
}

function edgesOf(blocks: Box[], columns: number): string[] {
  return blocks.slice(1).map((to, i) => {
    const from = blocks[i];
    if (columns === 1) return `M${middle(from)} ${from.y + from.height}V${to.y - 2}`;
    const y = from.y + from.height / 2;
    if (to.x > from.x) return `M${from.x + from.width} ${y}H${to.x - 2}`;
    const between = to.y - LINE_GAP / 2 - PADDING;
    return `M${middle(from)} ${from.y + from.height}V${between}H${middle(to)}V${to.y - 2}`;
  });
}

function middle(b: Box): number {
  return b.x + b.width / 2;
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
