"""Kubernetes' own schemas take the manifests that we ship, unknown fields refused.

  python3 kubernetes_manifests.py FOLDER PYTHON_ENVIRONMENT; exit code 77: skipped, with the reason
"""

import glob
import os
import sys
from pathlib import Path

folder, environment = Path(sys.argv[1]).resolve(), sys.argv[2]
sys.path[:0] = glob.glob(os.path.join(environment, "lib", "python3*", "site-packages"))
try:
    import kubernetes_validate
    import yaml
except ImportError as error:
    print(f"skipped: {error}; cmake/test.sh installs kubernetes-validate where it can")
    sys.exit(77)

files = sorted(folder.glob("*.yaml"))
assert files, f"no manifest in {folder}"
newest = kubernetes_validate.latest_version()
accepted = 0
for file in files:
    for document in yaml.safe_load_all(file.read_text()):
        if document is None:
            continue
        kubernetes_validate.validate(document, newest, strict=True)
        accepted += 1
        # A schema that takes everything proves nothing.
        wrong = {**document, "spec": {**document["spec"], "assayed": True}}
        try:
            kubernetes_validate.validate(wrong, newest, strict=True)
        except kubernetes_validate.ValidationError:
            continue
        sys.exit(f"{file.name}: an unknown field was taken")
print(f"{accepted} manifests of {len(files)} files are taken by the schemas of Kubernetes {newest}")
