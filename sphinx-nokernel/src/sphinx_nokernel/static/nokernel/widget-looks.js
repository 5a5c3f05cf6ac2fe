// What an author set in a widget's `layout`: sizes, room, visibility, places in a grid.
// Loaded on pages with a layout that sets something.
window.nokernelLooks = (node, layout) => {
  const own = /^(?:_|model)/; // _view_name and the like
  for (const [key, value] of Object.entries(layout.state)) {
    if (value === null || own.test(key)) continue;
    node.style.setProperty(key.replaceAll("_", "-"), String(value));
  }
  if (layout.get("width")) node.style.maxWidth ||= "100%";
};
