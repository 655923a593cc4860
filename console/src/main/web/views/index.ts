import { icons } from "../icons";
import type { Route } from "../router";

/**
 * Every view by its address, those with an icon also in the navigation, in this order. Each is fetched when somebody first
 * goes there.
 */
export const routes: Route[] = [
  { path: "definitions", title: "Definitions", icon: icons.definitions, tag: "oc-definitions", load: () => import("./definitions") },
  { path: "sign-in", title: "Sign in", tag: "oc-sign-in", load: () => import("./sign-in"), open: true },
];
