/** Copies a text; where the browser does not allow that, selects the element that shows it, for the user to copy. */
export async function copyText(text: string, shown: Node): Promise<"copied" | "selected"> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    getSelection()?.selectAllChildren(shown);
    return "selected";
  }
}
