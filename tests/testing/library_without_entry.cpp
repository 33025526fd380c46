// A shared library that is no plugin: it exports nothing of that name.
extern "C" int assay_plugin_entry_is_missing() {
  return 1;
}
