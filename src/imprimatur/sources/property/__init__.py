"""Property graphs (openCypher): FalkorDB, and servers that speak Bolt; read as the graph that their mapping says."""
