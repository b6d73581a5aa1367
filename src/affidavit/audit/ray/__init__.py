"""An audit on a Ray cluster: nodes read the inputs and judge them, one process keeps what comes of it.

Needs ``pip install 'affidavit[ray]'``, on the nodes as well.
"""
