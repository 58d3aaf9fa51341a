"""clients.py LIBRARY SETTINGS STEP...: takes the steps with the library, prints a status, or error, for each."""
import os
import sys

import httpx
import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

library, settings, *steps = sys.argv[1:]
base = os.environ["PETCONFORM_TARGET"]
key = {"Authorization": "Bearer " + os.environ["PETCONFORM_KEY"]}

if library == "httpx":
    transport = httpx.HTTPTransport(retries=3) if settings == "usual" else None
    session = httpx.Client(headers=key, transport=transport, timeout=60)
else:
    session = requests.Session()
    session.headers.update(key)
    if settings == "usual":
        session.mount("http://", HTTPAdapter(max_retries=Retry(3, status_forcelist=[429, 503])))
    if settings == "mended":
        # mend requests; `read=0`: a createPet that may have succeeded is not sent again
        retry = Retry(5, read=0, backoff_factor=0.5, status_forcelist=[429, 503], allowed_methods=["GET", "POST"])
        session.mount("http://", HTTPAdapter(max_retries=retry))
        # end

for step in steps:
    try:
        if step == "create":
            answer = session.post(base + "/pets", json={"name": "Rex", "categoryId": 1})
        else:
            answer = session.get(base + "/pets")
        if step == "ids":
            answer = session.get("%s/pets/%s" % (base, answer.json()[0]["id"]))
        print(answer.status_code)
    except (OSError, httpx.HTTPError) as error:
        print(repr(error), file=sys.stderr)
        print("error")
