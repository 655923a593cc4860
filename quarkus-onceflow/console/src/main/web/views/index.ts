import { icons } from "../icons";
import type { Route } from "../router";

/**
 * Every view by its address, those with an icon also in the navigation, in this order. Each is fetched when somebody first
 * goes there.
 */
export const routes: Route[] = [
  { path: "", title: "Overview", icon: icons.overview, tag: "oc-overview", load: () => import("./overview") },
  { path: "attention", title: "Needs attention", icon: icons.warning, badge: "attention", tag: "oc-attention", load: () => import("./attention") },
  { path: "sagas", title: "Sagas", icon: icons.sagas, tag: "oc-sagas", load: () => import("./sagas") },
  { path: "sagas/:id", title: "Saga", tag: "oc-saga", load: () => import("./saga") },
  { path: "failures", title: "Failing steps", icon: icons.failures, tag: "oc-failures", load: () => import("./failures") },
  { path: "repairs", title: "Repairs", icon: icons.repairs, tag: "oc-repairs", load: () => import("./repairs") },
  { path: "repairs/:id", title: "Repair", tag: "oc-repair", load: () => import("./repair") },
  { path: "parked", title: "Parked", icon: icons.parked, badge: "parked", tag: "oc-parked", load: () => import("./parked") },
  { path: "definitions", title: "Definitions", icon: icons.definitions, tag: "oc-definitions", load: () => import("./definitions") },
  { path: "definitions/:name", title: "Definition", tag: "oc-definition", load: () => import("./definition") },
  { path: "time", title: "Time", icon: icons.time, tag: "oc-over-time", load: () => import("./time") },
  { path: "replicas", title: "Replicas", icon: icons.replicas, tag: "oc-replicas", load: () => import("./replicas") },
  { path: "participants", title: "Participants", icon: icons.participants, tag: "oc-participants", load: () => import("./participants") },
  { path: "audit", title: "Audit", icon: icons.audit, tag: "oc-audit", load: () => import("./audit") },
  { path: "search", title: "Search", tag: "oc-search", load: () => import("./search") },
  { path: "sign-in", title: "Sign in", tag: "oc-sign-in", load: () => import("./sign-in"), open: true },
];
