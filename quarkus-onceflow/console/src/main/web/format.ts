/** Times, durations and numbers as people read them. Pure, apart from the present moment where it is not given. */

const NONE = "–";
const integers = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** 1234567 as "1,234,567"; nothing as a dash. */
export function count(value: number | null | undefined): string {
  return value == null ? NONE : integers.format(value);
}

/** 40.23 as "40.2", 1234.5 as "1,235". */
export function rate(value: number | null | undefined): string {
  if (value == null) return NONE;
  return (Math.abs(value) < 100 ? tenths : integers).format(value);
}

const UNITS: [name: string, ms: number][] = [["d", 86_400_000], ["h", 3_600_000], ["min", 60_000], ["s", 1000]];

/** Milliseconds by their two greatest units: "41 ms", "3.8 s", "4 min 10 s", "2 d 3 h". */
export function duration(ms: number | null | undefined): string {
  if (ms == null) return NONE;
  if (ms < 0) return "-" + duration(-ms);
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${tenths.format(ms / 1000)} s`;
  let rest = Math.round(ms / 1000) * 1000;
  const parts: string[] = [];
  for (const [name, size] of UNITS) {
    const n = Math.floor(rest / size);
    if (n === 0 && parts.length === 0) continue;
    rest -= n * size;
    if (n > 0) parts.push(`${n} ${name}`);
    if (parts.length === 2 || n === 0) break;
  }
  return parts.join(" ");
}

/** "12 s ago", "in 4 min", "now": one unit, for lists. */
export function relative(at: string | null | undefined, now = Date.now()): string {
  if (!at) return NONE;
  const ms = new Date(at).getTime() - now;
  const away = Math.abs(ms);
  if (away < 1000) return "now";
  const [name, size] = UNITS.find(([, s]) => away >= s)!;
  const text = `${Math.floor(away / size)} ${name}`;
  return ms < 0 ? `${text} ago` : `in ${text}`;
}

const pad = (n: number, width = 2) => String(n).padStart(width, "0");

/** "2026-11-23 16:40:12" in the reader's time zone; with milliseconds where asked. */
export function absolute(at: string | null | undefined, millis = false): string {
  if (!at) return NONE;
  const t = new Date(at);
  const day = `${t.getFullYear()}-${pad(t.getMonth() + 1)}-${pad(t.getDate())}`;
  const time = `${pad(t.getHours())}:${pad(t.getMinutes())}:${pad(t.getSeconds())}`;
  return `${day} ${time}${millis ? "." + pad(t.getMilliseconds(), 3) : ""}`;
}

/** "16:40:12" in the reader's time zone. */
export function timeOfDay(ms: number): string {
  return absolute(new Date(ms).toISOString()).slice(-8);
}

const IN_UTC = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g;

/** A sentence of the service with its times in the reader's time zone, as all others on the page. */
export function localTimes(sentence: string): string {
  return sentence.replace(IN_UTC, (_, day, time) => absolute(`${day}T${time}Z`));
}

/** "1 saga", "2 sagas"; the number with its separators. */
export function plural(n: number, one: string, many = one + "s"): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** The last twelve digits of a UUID, to tell rows apart by eye: those that begin with the time begin alike. */
export function short(id: string): string {
  return id.slice(-12);
}

/** "COMPENSATING_LATE" as "compensating late". */
export function words(name: string): string {
  return name.toLowerCase().replaceAll("_", " ");
}

/** Milliseconds by their greatest unit alone, for where there is little room: "4 min". */
export function age(ms: number | null | undefined): string {
  if (ms == null || ms < 9950) return duration(ms);
  const [name, size] = UNITS.find(([, s]) => ms >= s)!;
  return `${Math.floor(ms / size)} ${name}`;
}
