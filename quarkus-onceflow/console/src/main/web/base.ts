/**
 * Where the console and the application are, told by the address of this script (…/console/assets/main-….js), so that
 * an application below another root path needs no setting.
 */
export const CONSOLE = new URL("../", import.meta.url).pathname;
export const ROOT = new URL("../../", import.meta.url).pathname;
